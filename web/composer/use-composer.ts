import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { actOnRun } from '../conversation/runs/run-actions.ts';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { useMe } from '../shell/use-me.ts';
import { notifyFailure } from '../ui/notices.tsx';
import { type AtWork, useAtWork } from './at-work.ts';
import { useSendSetting } from './send-setting.ts';
import { chooseMode, type ModeSpace, nextMode, useShownMode } from './space-mode.ts';
import { composerText, modeText } from './text.ts';
import { useCompletion } from './use-completion.ts';
import { useFieldKeys } from './use-field-keys.ts';
import { useFiles } from './use-files.ts';
import { useSending } from './use-sending.ts';
import { useTyping } from './use-typing.ts';

export interface ComposerPlace {
  ws: string;
  space: ModeSpace;
  conversationId: string;
}

export type ComposerState = ReturnType<typeof useComposer>;

/** Everything that the parts of a composer share. */
export function useComposer({ ws, space, conversationId }: ComposerPlace) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState('');
  const { cannotChange } = useMe();
  const { enterSends } = useSendSetting();
  const atWork = useAtWork(conversationId);
  const mode = useShownMode(space);
  const sending = useSending(ws, space, conversationId, setSaid);
  const { draft } = sending;
  const isEditing = draft.editing !== null;
  const completion = useCompletion(ws, space, field, draft.text);
  const onTyped = useTyping(ws, conversationId, draft.text.trim() !== '' && !isEditing);
  const files = useFiles(ws, conversationId, isEditing || cannotChange !== null, setSaid);
  const cycleMode = useCycleMode(ws, space, setSaid);
  const stop = useStop(ws, atWork, setSaid);
  const keys = useFieldKeys({
    ...{ enterSends, isEditing, isEmpty: draft.text === '' && draft.attachments.length === 0 },
    canCycle: mode !== 'review' && cannotChange === null,
    onSend: () => void sending.send(),
    onEditLast: sending.editLast,
    onCancelEdit: sending.cancelEdit,
    onCycle: cycleMode,
    onStop: stop,
  });
  useFocusKey(field);
  useCaretAtEnd(field, draft.editing?.messageId);
  return {
    ...{ ws, space, conversationId, id, field, said, setSaid, cannotChange, enterSends, atWork, mode },
    ...{ sending, draft, isEditing, completion, files, keys, onTyped },
    isThread: conversationId !== space.mainConversationId,
  };
}

export const namesOf = (atWork: readonly AtWork[]): string =>
  [...new Set(atWork.map(({ name }) => name))].join(', ');

function useCycleMode(ws: string, space: ModeSpace, onSaid: (text: string) => void): () => void {
  const t = useText(composerText);
  const modes = useText(modeText);
  const mode = useShownMode(space);
  return () => {
    const next = nextMode(mode);
    chooseMode(ws, space, next);
    onSaid(`${t.modeIs(modes[next].label)}. ${modes[next].hint}.`);
  };
}

/** Stops every run that is under way here. */
function useStop(ws: string, atWork: readonly AtWork[], onSaid: (text: string) => void): () => void {
  const t = useText(composerText);
  return () => {
    if (atWork.length === 0) return;
    const stopped = Promise.all(atWork.map(({ runId }) => actOnRun(ws, runId, 'cancel')));
    void stopped.then(() => onSaid(t.stopped(namesOf(atWork))), notifyFailure);
  };
}

function useFocusKey(field: RefObject<HTMLTextAreaElement | null>): void {
  const t = useText(composerText);
  useKeys([{ keys: 'm', label: t.focusKey, group: t.group, run: () => field.current?.focus() }]);
}

/** Whoever begins to change a message goes on at its end. */
function useCaretAtEnd(field: RefObject<HTMLTextAreaElement | null>, editing: string | undefined): void {
  useEffect(() => {
    if (editing === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, [editing, field]);
}
