import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { OrchestrationDetail } from '../../../services/orchestration/orchestrations/orchestration.ts';
import { useText } from '../../i18n/text.ts';
import { reasonKey } from '../../inbox/written.ts';
import { useMe } from '../../shell/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { stateKey, useOrchestrationAction, writtenFor } from './orchestration-data.ts';
import { proposalText } from './proposal-text.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { cardText } from './text.ts';

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

interface ProposalChoicesProps {
  ws: string;
  detail: OrchestrationDetail;
  /** The way to the whole of it, which there always is. */
  children: ReactNode;
}

/** What can be done with a proposal in the state that it is in. */
export function ProposalChoices({ ws, detail, children }: ProposalChoicesProps) {
  const t = useText(proposalText);
  const words = useText(cardText);
  const { id, revision } = detail;
  const action = useOrchestrationAction(ws, id);
  const { cannotChange } = useMe();
  const [dialogue, setDialogue] = useState<'changes' | 'cancel' | null>(null);
  const close = () => setDialogue(null);
  const isPending = (verb: string) => action.isPending && action.variables.verb === verb;
  if (ENDED.has(detail.status)) return children;
  const isProposed = detail.status === 'proposed';
  return (
    <>
      {stateKey(detail) === 'proposed' ? (
        <Button
          kind="primary"
          title={t.approveHint(revision)}
          disabledReason={cannotChange}
          isPending={isPending('approve')}
          onClick={() => action.mutate({ verb: 'approve', revision })}
        >
          <Check size={15} aria-hidden /> {t.approve}
        </Button>
      ) : null}
      {children}
      {isProposed ? (
        <Button
          disabledReason={cannotChange}
          isPending={isPending('requestChanges')}
          onClick={() => setDialogue('changes')}
        >
          {words.requestChanges}
        </Button>
      ) : null}
      <Button
        kind="quiet"
        disabledReason={cannotChange}
        isPending={isPending('cancel')}
        onClick={() => setDialogue('cancel')}
      >
        {t.cancelWork}
      </Button>
      {dialogue === 'changes' ? (
        <ReasonDialog
          draftKey={reasonKey(writtenFor(id))}
          title={words.requestChangesTitle}
          verb={words.send}
          isNeeded
          isPending={action.isPending}
          onClose={close}
          onSend={(reason) =>
            action.mutate({ verb: 'requestChanges', revision, reason }, { onSettled: close })
          }
        />
      ) : null}
      {dialogue === 'cancel' ? (
        <CancelDialog
          isProposed={isProposed}
          isPending={action.isPending}
          onClose={close}
          onCancel={() => action.mutate({ verb: 'cancel' }, { onSettled: close })}
        />
      ) : null}
    </>
  );
}

interface CancelDialogProps {
  isProposed: boolean;
  isPending: boolean;
  onCancel(): void;
  onClose(): void;
}

function CancelDialog({ isProposed, isPending, onCancel, onClose }: CancelDialogProps) {
  const t = useText(proposalText);
  return (
    <Dialog
      title={t.cancelTitle}
      closeLabel={t.close}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.keepOn}</Button>
          <Button kind="danger" isPending={isPending} onClick={onCancel}>
            {t.cancelNow}
          </Button>
        </>
      }
    >
      <p>{isProposed ? t.cancelProposed : t.cancelWhat}</p>
    </Dialog>
  );
}
