import { create } from 'zustand';

/** Texts that are being changed, by the message's id: what was typed stays when the row scrolls away. */
export const useEditing = create<Record<string, string | undefined>>()(() => ({}));

export const edit = (id: string, body: string): void => useEditing.setState({ [id]: body });
export const endEdit = (id: string): void => useEditing.setState({ [id]: undefined });
