import { type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { isComposing } from '../composer/composing-key.ts';
import { useDraft } from '../composer/drafts.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { askText } from './ask-text.ts';
import css from './preview.module.css';

interface ReasonFormProps {
  /** Where what is written is kept. */
  draftKey: string;
  verb: string;
  hint: string;
  /** What is missing while nothing is written; null where it may be empty. */
  needed: string | null;
  tone: 'primary' | 'danger';
  isPending: boolean;
  onSend(reason: string): void;
  onClose(): void;
}

/** Asks why, below what it is about. What is written survives going elsewhere. */
export function ReasonForm({
  draftKey,
  verb,
  hint,
  needed,
  tone,
  isPending,
  onSend,
  onClose,
}: ReasonFormProps) {
  const t = useText(askText);
  const [draft, change] = useDraft(draftKey);
  const form = useRef<HTMLFormElement>(null);
  const isMissing = needed !== null && draft.text.trim() === '';
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const send = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (!isMissing && !isPending) onSend(draft.text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(event);
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  return (
    <form ref={form} className={css.reason} onSubmit={send}>
      <Field label={t.reason} hint={hint}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={draft.text}
            onChange={({ target }) => change({ text: target.value })}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div className={css.buttons}>
        <Button
          type="submit"
          kind={tone}
          isPending={isPending}
          disabledReason={isMissing ? needed : null}
          onClick={send}
        >
          {verb}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t.cancel}
        </Button>
      </div>
    </form>
  );
}
