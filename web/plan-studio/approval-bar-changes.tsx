import { useEffect } from 'react';
import { dropDraft, useDraft as useWritten } from '../composer/drafts.ts';
import { writtenFor } from '../conversation/cards/orchestration-data.ts';
import { useNames } from '../conversation/names.ts';
import { texts, useText } from '../i18n/text.ts';
import { reasonKey } from '../inbox/written.ts';
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

/**
 * Sends the plan back to its author, with words: a request without a reason helps nobody. What is written is kept until it is
 * sent.
 */
export function RequestChanges({ revision, onClose }: { revision: number; onClose(): void }) {
  const t = useText(words);
  const { ws, detail, draft } = useDesk();
  const author = useNames(ws)(detail.proposedBy).name;
  const draftKey = reasonKey(writtenFor(detail.id));
  const [{ text: reason }, write] = useWritten(draftKey);
  useEffect(() => focusField('reason'), []);
  const send = usePlanAction(ws, detail.id, async () => {
    await plans.requestChanges(ws, detail.id, { reason, revision });
    dropDraft(draftKey);
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
            readOnly={send.isPending}
            value={reason}
            onChange={(event) => write({ text: event.target.value })}
          />
        )}
      </Field>
    </Dialog>
  );
}
