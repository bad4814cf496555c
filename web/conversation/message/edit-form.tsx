import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { ask, spaces } from '../../api/client.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { FaultText } from '../../ui/fault-text.tsx';
import { conversationText } from '../text.ts';
import { type Editing, edit, endEdit } from './editing.ts';
import css from './message.module.css';

interface EditFormProps {
  ws: string;
  message: Message;
  editing: Editing;
}

/** Changes a message in its place. An edit wakes nobody; one that somebody else's edit overtook is refused and said. */
export function EditForm({ ws, message, editing }: EditFormProps) {
  const t = useText(conversationText);
  const { id } = message;
  const { body: text, version } = editing;
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
  });
  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  const isBlank = text.trim() === '' && message.attachments.length === 0;
  const submit = () => {
    if (!isBlank && !save.isPending) save.mutate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) end();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
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
        onChange={(event) => edit(id, { body: event.target.value, version })}
        onKeyDown={onKeyDown}
      />
      {save.error ? (
        <p role="alert">
          <FaultText error={save.error} />
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
