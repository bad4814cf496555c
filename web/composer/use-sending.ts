import { useState } from 'react';
import { hasCode } from '../api/problem.ts';
import { lastMessage } from '../conversation/log/open-logs.ts';
import { faultSentence } from '../i18n/fault-words.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { type Draft, useDraft } from './drafts.ts';
import { saveEdit, sendDraft } from './sending.ts';
import type { ModeSpace } from './space-mode.ts';
import { composerText } from './text.ts';
import { useUploadsOf } from './uploads.ts';

/** Sending and changing what was sent, with why it cannot be done now and why it failed. */
export function useSending(
  ws: string,
  space: ModeSpace,
  conversationId: string,
  onSaid: (text: string) => void,
) {
  const t = useText(composerText);
  const me = useMe();
  const [draft, keep] = useDraft(conversationId);
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isUploading = useUploadsOf(conversationId).some((upload) => upload.problem === null);
  const hasNothing = draft.text.trim() === '' && (draft.editing !== null || draft.attachments.length === 0);
  const cannot = me.cannotChange ?? (isUploading ? t.stillUploading : hasNothing ? t.nothing : null);
  const change = (to: Partial<Draft>) => {
    setProblem(null);
    keep(to);
  };
  const send = async () => {
    if (cannot !== null || isPending) return;
    setPending(true);
    setProblem(null);
    try {
      if (draft.editing !== null) await saveEdit(ws, conversationId);
      else {
        // The field is free while the message is on its way; several may be under way at once.
        const sent = sendDraft(ws, space, conversationId);
        setPending(false);
        await sent;
      }
    } catch (error) {
      setProblem(problemWords(error, draft.editing !== null, t));
    } finally {
      setPending(false);
    }
  };
  const editLast = () => {
    const message = lastMessage(conversationId, ({ author, kind }) => author === me.actor && kind === 'text');
    if (!message) return onSaid(t.nothingToEdit);
    const { id: messageId, version, body } = message;
    change({ text: body, editing: { messageId, version, before: draft.text } });
    onSaid(t.editing);
  };
  const cancelEdit = () => {
    change({ editing: null, text: draft.editing?.before ?? '' });
    onSaid(t.editCancelled);
  };
  const { refused } = draft;
  const told =
    problem ??
    (refused !== null && refused.text === draft.text.trim()
      ? `${t.notSent(refused.problem)} ${t.backInField}`
      : null);
  return { draft, change, isPending, isUploading, problem: told, cannot, send, editLast, cancelEdit };
}

function problemWords(error: unknown, isEdit: boolean, t: (typeof composerText)['en']): string {
  if (isEdit && hasCode(error, 'conflict')) return t.notSaved(t.editedElsewhere);
  const text = faultSentence(error);
  return isEdit ? t.notSaved(text) : t.notSent(text);
}
