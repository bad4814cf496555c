import { create } from 'zustand';
import { type Away, nextBack, stillAway } from './away-times.ts';

const STORED = 'control-center.inbox-away';
const MOST = 200;
/** A browser's timer stands still while the machine sleeps: the clock is asked that often. */
const LONGEST_WAIT_MS = 60_000;

/** What this person has put off, in this browser alone: for everybody else it waits as before. */
export const useAway = create<{ byId: Away }>()(() => ({ byId: stillAway(restored(), Date.now()) }));

/** What was put off last, while that can be undone. */
let last: string | null = null;

export function putAway(id: string, until: number | null): void {
  last = id;
  const { [id]: _before, ...rest } = useAway.getState().byId;
  keep(Object.fromEntries([...Object.entries(rest), [id, until] as const].slice(-MOST)));
}

export function takeBackLast(): void {
  if (last !== null) takeBack(last);
}

export function takeBack(id: string): void {
  if (id === last) last = null;
  const { [id]: _gone, ...rest } = useAway.getState().byId;
  keep(rest);
}

function keep(byId: Away): void {
  useAway.setState({ byId });
  localStorage.setItem(STORED, JSON.stringify(byId));
}

function restored(): Away {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? '{}');
    const pairs = Object.entries(typeof stored === 'object' && stored !== null ? stored : {});
    return Object.fromEntries(pairs.filter(([, until]) => until === null || typeof until === 'number'));
  } catch {
    // Not written by this version: everything is shown.
    return {};
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Has the next of them come back in its time. */
function watch({ byId }: { byId: Away }): void {
  clearTimeout(timer);
  const next = nextBack(byId);
  if (next === null) return;
  const waitMs = Math.min(Math.max(0, next - Date.now()), LONGEST_WAIT_MS);
  timer = setTimeout(wake, waitMs);
}

function wake(): void {
  const { byId } = useAway.getState();
  const now = Date.now();
  if ((nextBack(byId) ?? now) <= now) keep(stillAway(byId, now));
  else watch({ byId });
}
useAway.subscribe(watch);
watch(useAway.getState());

// What is put off in another tab is put off here.
window.addEventListener('storage', ({ key }) => {
  if (key === STORED) useAway.setState({ byId: stillAway(restored(), Date.now()) });
});
