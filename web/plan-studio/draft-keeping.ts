import type { Base, Draft, Earlier } from './draft.ts';

const PREFIX = 'control-center.plan.';

/** Letters rest so long before they are written down; a page that goes away does it at once. */
const REST_MS = 400;

/**
 * The edits of a plan that are no revision yet, as this browser keeps them: a tab that is closed or a server that is away
 * loses none. Null for none, and for what another version of the app wrote.
 */
export function keptDraft(id: string): Earlier | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null');
    return isDraft(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isDraft(kept: unknown): kept is Earlier {
  const { base, proposal, schemaTexts } = (kept ?? {}) as Partial<Earlier>;
  const isBase = typeof base?.revision === 'number' && hasTickets(base.proposal);
  return isBase && hasTickets(proposal) && typeof schemaTexts === 'object';
}

const hasTickets = (proposal: Base['proposal'] | undefined): boolean => Array.isArray(proposal?.tickets);

/** Keeps the edits of a draft as long as they are not saved, until the result is called. */
export function keepDraft(draft: Draft, id: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Another tab may keep edits of the same plan, which are not this one's to forget.
  let written = draft.getState().save === 'unsaved' ? localStorage.getItem(PREFIX + id) : null;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const { base, proposal, schemaTexts, save } = draft.getState();
    const isSaved = save === 'saved' && Object.keys(schemaTexts).length === 0;
    try {
      if (!isSaved) {
        written = JSON.stringify({ base, proposal, schemaTexts });
        localStorage.setItem(PREFIX + id, written);
      } else if (written !== null && localStorage.getItem(PREFIX + id) === written) {
        localStorage.removeItem(PREFIX + id);
      }
    } catch {
      // The browser's room is used up: the edits live as long as the tab, as the header says.
    }
  };
  const stop = draft.subscribe((now, before) => {
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
  return () => {
    onHide();
    stop();
    window.removeEventListener('pagehide', onHide);
    document.removeEventListener('visibilitychange', onHide);
  };
}
