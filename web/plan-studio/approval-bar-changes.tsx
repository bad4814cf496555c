import { useEffect, useState } from 'react';
import { useNames } from '../conversation/names.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { focusField } from './focus-field.ts';
import { useDesk } from './plan-screen-context.ts';
import { plans, usePlanAction } from './plan-screen-data.ts';

const words = texts(
  {
    title: (revision: number) => `Request changes to revision ${revision}`,
    what: 'What should be different?',
    hint: (name: string) => `${name} reads it and proposes the next revision.`,
    empty: 'Say what should be different',
    send: 'Request changes',
    close: 'Close',
    sent: (name: string) => `${name} was asked for changes.`,
  },
  {
    title: (revision: number) => `Demander des modifications de la révision ${revision}`,
    what: 'Que faut-il changer ?',
    hint: (name: string) => `${name} lit votre demande et propose la révision suivante.`,
    empty: 'Dites ce qu’il faut changer',
    send: 'Demander des modifications',
    close: 'Fermer',
    sent: (name: string) => `La demande est transmise à ${name}.`,
  },
);

const MOST = 4_000;

/** Sends the plan back to its author, with words: a request without a reason helps nobody. */
export function RequestChanges({ revision, onClose }: { revision: number; onClose(): void }) {
  const t = useText(words);
  const { ws, detail, draft } = useDesk();
  const author = useNames(ws)(detail.proposedBy).name;
  const [reason, setReason] = useState('');
  useEffect(() => focusField('reason'), []);
  const send = usePlanAction(ws, detail.id, async () => {
    await plans.requestChanges(ws, detail.id, { reason, revision });
    draft.setState({ said: t.sent(author) });
    onClose();
  });
  return (
    <Dialog
      title={t.title(revision)}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <Button
          kind="primary"
          disabledReason={reason.trim() === '' ? t.empty : null}
          isPending={send.isPending}
          onClick={() => send.mutate(undefined)}
        >
          {t.send}
        </Button>
      }
    >
      <Field label={t.what} hint={t.hint(author)}>
        {(control) => (
          <textarea
            {...control}
            data-field="reason"
            rows={5}
            maxLength={MOST}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  );
}
