import { create } from 'zustand';
import type { AttachedFile } from '../../services/spaces/attachments/schema.ts';
import { notifyFailure } from '../ui/notices.tsx';

/** What the person has written and not sent, of one conversation. */
export interface Draft {
  text: string;
  /** Uploaded already. */
  attachments: readonly AttachedFile[];
  /** How an agent at work is told; null for the usual way. */
  delivery: 'steer' | 'queue' | null;
  /** What the server refused and under which key: said again unchanged, it is the same message. */
  refused: { key: string; text: string; problem: string } | null;
  /** The message of one's own that is being changed, and what was being written before. */
  editing: { messageId: string; version: number; before: string } | null;
}

const EMPTY_DRAFT: Draft = { text: '', attachments: [], delivery: null, refused: null, editing: null };

const PREFIX = 'control-center.draft.';

/** Drafts by their key: a conversation's id, or what a reason or an answer is for. Each survives a reload and a crash. */
const useDrafts = create<Record<string, Draft>>()(() => ({}));

export function useDraft(key: string): [Draft, (change: Partial<Draft>) => void] {
  const draft = useDrafts((all) => all[key]) ?? restored(key);
  return [draft, (change) => changeDraft(key, change)];
}

export const draftOf = (key: string): Draft => useDrafts.getState()[key] ?? restored(key);

export function changeDraft(key: string, change: Partial<Draft>): void {
  const draft = { ...draftOf(key), ...change };
  useDrafts.setState({ [key]: draft });
  try {
    if (isEmpty(draft)) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch (error) {
    // The browser's room is used up: the draft lives as long as the tab, and the person has to know.
    notifyFailure(error);
  }
}

/** Empties the field alone: until the next change, what was written comes back with the page. */
export const setAside = (key: string): void => useDrafts.setState({ [key]: EMPTY_DRAFT });

export const dropDraft = (key: string): void => changeDraft(key, EMPTY_DRAFT);

export function isEmpty({ text, attachments, delivery, editing }: Draft): boolean {
  return text === '' && attachments.length === 0 && delivery === null && editing === null;
}

const known = new Map<string, { stored: string | null; draft: Draft }>();

/** Read once for each state of what is stored, so that it is the same object at every look. */
function restored(key: string): Draft {
  const stored = localStorage.getItem(PREFIX + key);
  const before = known.get(key);
  if (before && before.stored === stored) return before.draft;
  const draft = draftFrom(stored);
  known.set(key, { stored, draft });
  return draft;
}

/** @param stored as another version of the app may have written it */
function draftFrom(stored: string | null): Draft {
  try {
    const read: unknown = JSON.parse(stored ?? '{}');
    if (typeof read !== 'object' || read === null) return EMPTY_DRAFT;
    const draft = { ...EMPTY_DRAFT, ...(read as Partial<Draft>) };
    return typeof draft.text === 'string' && Array.isArray(draft.attachments) ? draft : EMPTY_DRAFT;
  } catch {
    return EMPTY_DRAFT;
  }
}

// What is written in another tab shows here as well.
window.addEventListener('storage', ({ key, newValue }) => {
  if (key?.startsWith(PREFIX)) useDrafts.setState({ [key.slice(PREFIX.length)]: draftFrom(newValue) });
});
