const STORED = 'control-center.person';

const OURS = 'control-center.';

/** How the browser looks and behaves belongs to nobody; whatever else is kept belongs to whoever left it here. */
const OF_BROWSER = new Set(
  ['theme', 'language', 'single-keys', 'enter-sends', 'panes'].map((name) => OURS + name),
);

/** Whose page this is; null while nobody is known. */
let here: string | null = null;
let isOver = false;

/**
 * Has this browser be the person's: what somebody else left in it is forgotten, and the page begins anew, since memory may hold
 * it, too.
 * @returns whether the page can go on
 */
export function isPlaceOf(actor: string): boolean {
  const others = [localStorage, sessionStorage].filter((storage) => storage.getItem(STORED) !== actor);
  const hadSomething = others.map(forgetIn).includes(true);
  for (const storage of others) storage.setItem(STORED, actor);
  const isOther = here !== null && here !== actor;
  here = actor;
  if ((hadSomething || isOther) && !isOver) {
    isOver = true;
    location.reload();
  }
  return !isOver;
}

/** Leaves nothing of the person for whoever comes next. */
export function forgetPerson(): void {
  for (const storage of [localStorage, sessionStorage]) forgetIn(storage);
}

function forgetIn(storage: Storage): boolean {
  const keys = Object.keys(storage).filter((key) => key.startsWith(OURS) && !OF_BROWSER.has(key));
  for (const key of keys) storage.removeItem(key);
  return keys.length > 0;
}

// The person signed out in another tab, or somebody else signed in there: what this one has in memory is nobody's any more.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key !== STORED || here === null || newValue === here) return;
  forgetIn(sessionStorage);
  location.reload();
});

// A page that the browser kept and shows again as it was, by its way back, has heard of none of that.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && here !== null && localStorage.getItem(STORED) !== here) location.reload();
});
