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
  let turn = Promise.resolve();
  const takeUp = (left: string) => {
    // One after the other: the edits of two tabs may have been made on different revisions.
    turn = turn.then(() => clean(draft)).then(() => take(left));
    return turn;
  };
  const take = (left: string) => {
    const earlier = readKept(left);
    if (earlier) {
      draft.temporal.getState().pause();
      draft.setState({ ...earlier, save: 'unsaved' });
      draft.temporal.getState().resume();
      draft.temporal.getState().clear();
      write();
    }
    localStorage.removeItem(left);
    if (earlier) onTaken();
  };
  for (const left of keptOf(id)) void holding(left, () => takeUp(left));
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

/** Runs `work` once no other page of this browser holds the name. Where there are no locks, other pages are as good as gone. */
async function holding(name: string, work: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request(name, work);
  else await work();
}

const keptOf = (id: string): string[] =>
  Object.keys(localStorage).filter((name) => name === PREFIX + id || name.startsWith(`${PREFIX}${id}.`));

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
