import { changeDraft, dropDraft, useDraft } from '../../composer/drafts.ts';

interface Editing {
  body: string;
  /** The version that is being changed: one that came meanwhile is not written over. */
  version: number;
}

const keyOf = (id: string) => `edit/${id}`;

/** The message whose change has just begun here. */
let begun: string | null = null;

/** What a message is being changed to; it stays when the row scrolls away and when the page is left. */
export function useEditing(id: string): Editing | null {
  const [{ text: body, editing }] = useDraft(keyOf(id));
  return editing && { body, version: editing.version };
}

export function beginEdit(id: string, editing: Editing): void {
  begun = id;
  edit(id, editing);
}

/** @returns whether the person has just begun it, and goes on in its field; true once */
export function hasJustBegun(id: string): boolean {
  const isIt = begun === id;
  if (isIt) begun = null;
  return isIt;
}

export const edit = (id: string, { body, version }: Editing): void =>
  changeDraft(keyOf(id), { text: body, editing: { messageId: id, version, before: '' } });

export const endEdit = (id: string): void => dropDraft(keyOf(id));
