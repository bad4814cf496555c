import { temporal } from 'zundo';
import { createStore } from 'zustand';
import type { Proposal, ProposalFault } from '../../core-wasm/core.ts';
import { deleteTicket, editTicket, type TicketFields } from './draft-edits.ts';

/** A revision as the server has it. */
export interface Base {
  revision: number;
  proposal: Proposal;
}

/** The newest revision that stands against unsaved edits. `closed`: nothing can be edited any more, whatever it says. */
export interface Conflict {
  theirs: Base;
  kind: 'stale' | 'closed';
}

type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

/** What is typed for a schema that it is not yet. */
export interface SchemaText {
  text: string;
  /** The schema that it was typed over, as text; another one there now is somebody else's. */
  over: string;
}

export interface DraftState {
  /** What the edits are made on. */
  base: Base;
  /** With the edits. */
  proposal: Proposal;
  save: SaveState;
  /** Why the last save failed, other than by a conflict or a fault of the proposal. */
  failure: unknown;
  /** What is wrong with the proposal as it stands; it is not saved until it is right. */
  faults: readonly ProposalFault[];
  conflict: Conflict | null;
  /** What was sent as the revision after the base without an answer: one that says the same as one of these is my own. */
  sent: readonly Proposal[];
  /** Revisions of others that my unsaved edits were put on, until they are seen. */
  merged: readonly number[];
  /** Output schemas as typed, by sub-ticket, while they are not ones: no text is lost for being unfinished. */
  schemaTexts: Readonly<Record<string, SchemaText>>;
  /** What was just done beside editing, for screen readers: the screen shows it by itself. */
  said: string;
  /** Keys of the sub-tickets that are ticked to be approved now. */
  chosen: ReadonlySet<string>;
}

/** Edits of one field that follow each other this closely are one step of undo. */
const TOGETHER_MS = 1_500;
const STEPS = 200;

/** Edits that were kept from an earlier visit. */
export type Earlier = Pick<DraftState, 'base' | 'proposal' | 'schemaTexts' | 'sent'>;

/** A plan as it is being edited; undo and redo go over the edits alone, never over what others did. */
export function createDraft(base: Base) {
  const first: DraftState = {
    ...{ base, proposal: base.proposal, save: 'saved', failure: null, faults: [], conflict: null },
    ...{ sent: [], merged: [], chosen: new Set<string>(), schemaTexts: {}, said: '' },
  };
  return createStore<DraftState>()(
    temporal(() => first, {
      partialize: ({ proposal }) => ({ proposal }),
      equality: (before, now) => before.proposal === now.proposal,
      limit: STEPS,
    }),
  );
}

export type Draft = ReturnType<typeof createDraft>;

/** The edits that ORCH-4 allows. `onEdit` is called after each, undo and redo included. */
export function draftActions(draft: Draft, onEdit: () => void) {
  let last = { tag: '', at: 0 };
  const change = (tag: string, to: (proposal: Proposal) => Proposal) => {
    const history = draft.temporal.getState();
    const at = Date.now();
    const isMore = tag !== '' && tag === last.tag && at - last.at < TOGETHER_MS;
    last = { tag, at };
    if (isMore) history.pause();
    draft.setState({ proposal: to(draft.getState().proposal), save: 'unsaved' });
    if (isMore) history.resume();
    onEdit();
  };
  const step = (direction: 'undo' | 'redo') => {
    last = { tag: '', at: 0 };
    draft.temporal.getState()[direction]();
    draft.setState({ save: 'unsaved' });
    onEdit();
  };
  return {
    edit(key: string, fields: Partial<TicketFields>) {
      change(`${key}/${Object.keys(fields).join()}`, (proposal) => editTicket(proposal, key, fields));
    },
    /** The last sub-ticket stays: a plan without one is none. */
    remove(key: string) {
      if (draft.getState().proposal.tickets.length === 1) return;
      change('', (proposal) => deleteTicket(proposal, key));
    },
    /** Keeps a schema that is not one yet as it was typed; null once it is one. */
    keepSchemaText(key: string, text: SchemaText | null) {
      const { [key]: _, ...others } = draft.getState().schemaTexts;
      draft.setState({ schemaTexts: text === null ? others : { ...others, [key]: text } });
    },
    /** Back to the newest revision; undo brings the edits back. */
    discard() {
      change('', () => draft.getState().base.proposal);
      draft.setState({ schemaTexts: {}, faults: [], failure: null });
    },
    undo: () => step('undo'),
    redo: () => step('redo'),
  };
}

export type DraftActions = ReturnType<typeof draftActions>;
