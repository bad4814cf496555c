import { create } from 'zustand';
import { lastMessage } from '../log/open-logs.ts';

/** Texts that are being changed, by the message's id: what was typed stays when the row scrolls away. */
export const useEditing = create<Record<string, string | undefined>>()(() => ({}));

export const edit = (id: string, body: string): void => useEditing.setState({ [id]: body });
export const endEdit = (id: string): void => useEditing.setState({ [id]: undefined });

/** Begins to change the person's last text in a conversation on the screen. @returns whether there is one */
export function editLast(conversationId: string, me: string): boolean {
  const message = lastMessage(conversationId, ({ author, kind }) => author === me && kind === 'text');
  if (message) edit(message.id, message.body);
  return message !== null;
}
