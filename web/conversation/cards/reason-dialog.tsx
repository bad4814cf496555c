import { useDraft } from '../../composer/drafts.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import css from './cards.module.css';
import { cardText } from './text.ts';

interface ReasonDialogProps {
  /** Where what is written is kept until it is sent. */
  draftKey: string;
  title: string;
  /** What the button says. */
  verb: string;
  isNeeded: boolean;
  isPending: boolean;
  onSend(reason: string): void;
  onClose(): void;
}

/** Asks why, before something is refused or sent back. What is written outlasts the dialog and the page until it is sent. */
export function ReasonDialog({
  draftKey,
  title,
  verb,
  isNeeded,
  isPending,
  onSend,
  onClose,
}: ReasonDialogProps) {
  const t = useText(cardText);
  const [{ text: reason }, change] = useDraft(draftKey);
  const isMissing = isNeeded && reason.trim() === '';
  const send = () => {
    if (!isMissing && !isPending) onSend(reason.trim());
  };
  return (
    <Dialog
      title={title}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            kind={isNeeded ? 'primary' : 'danger'}
            isPending={isPending}
            disabledReason={isMissing ? t.reasonNeeded : null}
            onClick={send}
          >
            {verb}
          </Button>
        </>
      }
    >
      <div className={css.form}>
        <Field label={t.reason} hint={isNeeded ? t.reasonNeeded : t.reasonHint}>
          {(control) => (
            <textarea
              {...control}
              rows={4}
              value={reason}
              onChange={(event) => change({ text: event.target.value })}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
              }}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
