import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useDesk } from './plan-screen-context.ts';
import { plans, usePlanAction } from './plan-screen-data.ts';

const words = texts(
  {
    title: 'Cancel the plan?',
    proposed: 'It ends here and can no longer be approved. Its revisions stay readable.',
    running: 'Agents at work are stopped. What is done until now stays; nothing further starts.',
    keep: 'Keep it',
    cancel: 'Cancel the plan',
    close: 'Close',
  },
  {
    title: 'Annuler le plan ?',
    proposed: 'Il s’arrête ici et ne pourra plus être approuvé. Ses révisions restent lisibles.',
    running: 'Les agents au travail sont arrêtés. Ce qui est fait est conservé ; rien d’autre ne démarre.',
    keep: 'Le garder',
    cancel: 'Annuler le plan',
    close: 'Fermer',
  },
);

/** Ending a plan is not undone, so it is asked about. */
export function CancelPlan({ onClose }: { onClose(): void }) {
  const t = useText(words);
  const { ws, detail } = useDesk();
  const cancel = usePlanAction(ws, detail.id, async () => {
    await plans.cancel(ws, detail.id);
    onClose();
  });
  return (
    <Dialog
      title={t.title}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.keep}</Button>
          <Button kind="danger" isPending={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            {t.cancel}
          </Button>
        </>
      }
    >
      <p>{detail.status === 'proposed' ? t.proposed : t.running}</p>
    </Dialog>
  );
}
