import { create } from 'zustand';

export interface Editing {
  body: string;
  /** The version that is being changed: one that came meanwhile is not written over. */
  version: number;
}

/** Texts that are being changed, by the message's id: what was typed stays when the row scrolls away. */
export const useEditing = create<Record<string, Editing | undefined>>()(() => ({}));

export const edit = (id: string, editing: Editing): void => useEditing.setState({ [id]: editing });
export const endEdit = (id: string): void => useEditing.setState({ [id]: undefined });
