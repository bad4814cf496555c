import { type ReactNode, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import css from './cards.module.css';
import { cardText } from './text.ts';

interface ReasonDialogProps {
  title: string;
  /** What the button says. */
  verb: string;
  isNeeded: boolean;
  isPending: boolean;
  onSend(reason: string): void;
  onClose(): void;
  children?: ReactNode;
}

/** Asks why, before something is refused or sent back. */
export function ReasonDialog({
  title,
  verb,
  isNeeded,
  isPending,
  onSend,
  onClose,
  children,
}: ReasonDialogProps) {
  const t = useText(cardText);
  const [reason, setReason] = useState('');
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
        {children}
        <Field label={t.reason} hint={isNeeded ? t.reasonNeeded : t.reasonHint}>
          {(control) => (
            <textarea
              {...control}
              rows={4}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
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
