import type { Base, Draft, Earlier } from './draft.ts';

const PREFIX = 'control-center.plan.';

/** Letters rest so long before they are written down; a page that goes away does it at once. */
const REST_MS = 400;

/**
 * Keeps the edits of a plan that are no revision yet in this browser, so that a tab that is closed and a server that is away
 * lose none. Every page keeps its own, and holds a lock on them as long as it lives: what nobody holds was left by a tab that
 * is gone, and is taken up here once there is nothing unsaved to mix it with.
 * @param onTaken edits of another tab are the draft's now, on the revision they were made on
 */
export function keepDraft(draft: Draft, id: string, onTaken: () => void): void {
  const own = `${PREFIX}${id}.${crypto.randomUUID()}`;
  void holding(own, () => new Promise(() => undefined));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { base, proposal, schemaTexts, sent } = draft.getState();
    try {
      if (isClean(draft)) localStorage.removeItem(own);
      else localStorage.setItem(own, JSON.stringify({ base, proposal, schemaTexts, sent }));
    } catch {
      // The browser's room is used up: the edits live as long as the tab, as the header says.
    }
  };
  takeWhatIsLeft(draft, id, own, () => {
    write();
    return onTaken;
  });
  draft.subscribe((now, before) => {
    const { base, proposal, schemaTexts, save } = before;
    const isSame = now.base === base && now.proposal === proposal && now.schemaTexts === schemaTexts;
    if (isSame && now.save === save) return;
    if (now.save === 'saved') write();
    else timer ??= setTimeout(write, REST_MS);
  });
  const onHide = () => {
    if (timer !== undefined) write();
  };
  window.addEventListener('pagehide', onHide);
  document.addEventListener('visibilitychange', onHide);
}

/** Takes up the edits that other tabs have left or will leave. Never holds what it cannot take: another tab may be free to. */
function takeWhatIsLeft(draft: Draft, id: string, own: string, keep: () => () => void): void {
  const awaited = new Set([own]);
  const takeUp = async (left: string) => {
    awaited.add(left);
    for (let isTaken = false; !isTaken; ) {
      await clean(draft);
      await holding(left, async () => {
        isTaken = isClean(draft);
        if (isTaken) take(draft, left, keep);
      });
    }
    awaited.delete(left);
  };
  const wait = (left: string) => void (awaited.has(left) || takeUp(left));
  for (const left of Object.keys(localStorage)) if (isOf(id, left)) wait(left);
  if (!navigator.locks) return;
  // Of a tab that was opened later, or whose last words come after its end.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key !== null && newValue !== null && isOf(id, key)) wait(key);
  });
}

/** Nothing is in between of keeping it as one's own and forgetting it as the other's. */
function take(draft: Draft, left: string, keep: () => () => void): void {
  const earlier = readKept(left);
  if (!earlier) {
    localStorage.removeItem(left);
    return;
  }
  const history = draft.temporal.getState();
  history.pause();
  draft.setState({ ...earlier, save: 'unsaved' });
  history.resume();
  history.clear();
  const onTaken = keep();
  localStorage.removeItem(left);
  onTaken();
}

/** Runs `work` once no other page of this browser holds the name. Where there are no locks, other pages are as good as gone. */
async function holding(name: string, work: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request(name, work);
  else await work();
}

const isOf = (id: string, name: string): boolean =>
  name === PREFIX + id || name.startsWith(`${PREFIX}${id}.`);

const isClean = (draft: Draft): boolean => {
  const { save, schemaTexts, conflict } = draft.getState();
  return save === 'saved' && conflict === null && Object.keys(schemaTexts).length === 0;
};

/** Resolves as soon as the draft has nothing that is not saved. */
function clean(draft: Draft): Promise<void> {
  if (isClean(draft)) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = draft.subscribe(() => {
      if (!isClean(draft)) return;
      stop();
      resolve();
    });
  });
}

/** Null for nothing, and for what another version of the app wrote. */
function readKept(name: string): Earlier | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
    return isDraft(kept) ? { ...kept, sent: kept.sent ?? [] } : null;
  } catch {
    return null;
  }
}

function isDraft(kept: unknown): kept is Earlier {
  const { base, proposal, schemaTexts } = (kept ?? {}) as Partial<Earlier>;
  const isBase = typeof base?.revision === 'number' && hasTickets(base.proposal);
  return isBase && hasTickets(proposal) && typeof schemaTexts === 'object' && schemaTexts !== null;
}

const hasTickets = (proposal: Base['proposal'] | undefined): boolean => Array.isArray(proposal?.tickets);
