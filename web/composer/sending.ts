import { ask, spaces } from '../api/client.ts';
import { hasCode } from '../api/problem.ts';
import { catchUp } from '../conversation/log/open-logs.ts';
import { discard, say, useOutbox } from '../conversation/log/outbox.ts';
import { changeDraft, type Draft, draftOf, isEmpty, setAside } from './drafts.ts';
import { type ModeSpace, settleMode } from './space-mode.ts';

/**
 * Says what is written: the field is empty at once, and the message stands in the conversation. What the server refuses comes
 * back into the field; what did not reach it stays in the conversation and goes out by itself when the connection is back.
 * @throws ApiProblem when the space's mode could not be changed before; nothing is said then, and the text is back
 */
export async function sendDraft(ws: string, space: ModeSpace, conversationId: string): Promise<void> {
  const draft = draftOf(conversationId);
  const { delivery } = draft;
  const body = draft.text.trim();
  if (body === '' && draft.attachments.length === 0) return;
  const key = draft.refused?.text === body ? draft.refused.key : crypto.randomUUID();
  setAside(conversationId);
  try {
    await settleMode(ws, space);
  } catch (error) {
    giveBack(conversationId, draft);
    throw error;
  }
  const saying = say({
    ...{ ws, conversationId, body, key, delivery, attachments: [...draft.attachments] },
  });
  // From here on it is kept among what was said.
  changeDraft(conversationId, {});
  const isHere = await saying;
  const failed = isHere ? undefined : useOutbox.getState().items.find((item) => item.key === key);
  // Somebody who has gone on writing keeps both: the refused message stays where it stands in the conversation.
  if (!failed || failed.isUnreached || !isEmpty(draftOf(conversationId))) return;
  discard(key);
  const refused = { key, text: body, problem: failed.problem ?? '' };
  changeDraft(conversationId, { ...draft, text: body, refused });
}

/** Above what was written since. */
function giveBack(conversationId: string, draft: Draft): void {
  const now = draftOf(conversationId);
  const text = [draft.text, now.text].filter((one) => one !== '').join('\n');
  const attachments = [...draft.attachments, ...now.attachments];
  changeDraft(conversationId, { ...draft, text, attachments });
}

/**
 * Puts the text of the field in place of the message that is being changed.
 * @throws ApiProblem; the text is left. After a `conflict` the next try is based on what came between.
 */
export async function saveEdit(ws: string, conversationId: string): Promise<void> {
  const { editing, text } = draftOf(conversationId);
  if (editing === null) return;
  const { messageId: id, version, before } = editing;
  // Whoever gave it up meanwhile has gone on in the field.
  const isWanted = () => draftOf(conversationId).editing?.messageId === id;
  try {
    await ask(
      spaces.api.workspaces[':workspaceId'].messages[':id'].$patch({
        param: { workspaceId: ws, id },
        json: { body: text.trim(), version },
      }),
    );
  } catch (error) {
    const { presentVersion } = hasCode(error, 'conflict') ? error.facts : {};
    if (typeof presentVersion === 'number' && isWanted())
      changeDraft(conversationId, { editing: { ...editing, version: presentVersion } });
    throw error;
  } finally {
    catchUp(conversationId);
  }
  if (isWanted()) changeDraft(conversationId, { editing: null, text: before });
}
