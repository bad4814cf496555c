import { ask, spaces } from '../api/client.ts';
import { catchUp } from '../conversation/log/open-logs.ts';
import { discard, say, useOutbox } from '../conversation/log/outbox.ts';
import { changeDraft, draftOf, EMPTY_DRAFT, isEmpty } from './drafts.ts';
import { type ModeSpace, settleMode } from './space-mode.ts';

/**
 * Says what is written: the field is empty at once, and the message stands in the conversation. What the server refuses comes
 * back into the field; what did not reach it stays in the conversation and goes out by itself when the connection is back.
 * @returns why it was refused, null otherwise @throws ApiProblem when the space's mode could not be changed before; the text is left
 */
export async function sendDraft(
  ws: string,
  space: ModeSpace,
  conversationId: string,
): Promise<string | null> {
  await settleMode(ws, space);
  const draft = draftOf(conversationId);
  const body = draft.text.trim();
  const key = draft.refused?.text === body ? draft.refused.key : crypto.randomUUID();
  changeDraft(conversationId, EMPTY_DRAFT);
  const { delivery } = draft;
  const isHere = await say({
    ...{ ws, conversationId, body, key, delivery, attachments: [...draft.attachments] },
  });
  const failed = isHere ? undefined : useOutbox.getState().items.find((item) => item.key === key);
  // Somebody who has gone on writing keeps both: the refused message stays where it stands in the conversation.
  if (!failed || failed.isUnreached || !isEmpty(draftOf(conversationId))) return null;
  discard(key);
  const problem = failed.problem ?? '';
  changeDraft(conversationId, { ...draft, text: body, refused: { key, text: body, problem } });
  return problem;
}

/** Puts the text of the field in place of the message that is being changed. @throws ApiProblem; the text is left */
export async function saveEdit(ws: string, conversationId: string): Promise<void> {
  const { editing, text } = draftOf(conversationId);
  if (editing === null) return;
  const { messageId: id, version, before } = editing;
  await ask(
    spaces.api.workspaces[':workspaceId'].messages[':id'].$patch({
      param: { workspaceId: ws, id },
      json: { body: text.trim(), version },
    }),
  );
  changeDraft(conversationId, { editing: null, text: before });
  catchUp(conversationId);
}
