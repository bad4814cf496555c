import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { ask, spaces } from '../../api/client.ts';
import { hasCode } from '../../api/problem.ts';
import { isComposing } from '../../composer/composing-key.ts';
import { useSendKey } from '../../composer/send-setting.ts';
import { composerText } from '../../composer/text.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { FaultText } from '../../ui/fault-text.tsx';
import { conversationText } from '../text.ts';
import { edit, endEdit, hasJustBegun } from './editing.ts';
import css from './message.module.css';

interface EditFormProps {
  ws: string;
  message: Message;
  /** What it is being changed to, and the version of which. */
  body: string;
  version: number;
}

/** Changes a message in its place. An edit wakes nobody; one that another overtook is refused once, and that is said. */
export function EditForm({ ws, message, body: text, version }: EditFormProps) {
  const t = useText(conversationText);
  const { editedElsewhere } = useText(composerText);
  const sends = useSendKey();
  const { id } = message;
  const field = useRef<HTMLTextAreaElement>(null);
  const end = () => {
    // The focus goes to the message, since what has it is about to be gone.
    if (field.current?.parentElement?.contains(document.activeElement))
      field.current.closest<HTMLElement>('[data-row]')?.focus();
    endEdit(id);
  };
  const save = useMutation({
    mutationFn: () =>
      ask(
        spaces.api.workspaces[':workspaceId'].messages[':id'].$patch({
          param: { workspaceId: ws, id },
          json: { body: text, version },
        }),
      ),
    onSuccess: end,
    onError: (error) => {
      const { presentVersion } = hasCode(error, 'conflict') ? error.facts : {};
      if (typeof presentVersion === 'number') edit(id, { body: text, version: presentVersion });
    },
  });
  useEffect(() => {
    if (!hasJustBegun(id)) return;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [id]);
  const isBlank = text.trim() === '' && message.attachments.length === 0;
  const submit = () => {
    if (!isBlank && !save.isPending) save.mutate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape' && !isComposing(event)) end();
    if (!sends(event)) return;
    event.preventDefault();
    submit();
  };
  return (
    <div className={css.edit}>
      <textarea
        ref={field}
        aria-label={t.editLabel}
        rows={Math.min(12, text.split('\n').length + 1)}
        value={text}
        readOnly={save.isPending}
        onChange={(event) => edit(id, { body: event.target.value, version })}
        onKeyDown={onKeyDown}
      />
      {save.error ? (
        <p role="alert">
          {hasCode(save.error, 'conflict') ? editedElsewhere : <FaultText error={save.error} />}
        </p>
      ) : null}
      <div className={css.editButtons}>
        <Button kind="primary" isPending={save.isPending} onClick={submit}>
          {t.save}
        </Button>
        <Button kind="quiet" onClick={end}>
          {t.cancel}
        </Button>
      </div>
    </div>
  );
}
