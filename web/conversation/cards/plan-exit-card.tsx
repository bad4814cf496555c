import { DoorOpen } from 'lucide-react';
import { useState } from 'react';
import type { Approval, ApprovalArguments } from '../../../services/spaces/approvals/schema.ts';
import { useText } from '../../i18n/text.ts';
import { reasonKey } from '../../inbox/written.ts';
import { useMe } from '../../shell/use-me.ts';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../markdown.tsx';
import { useNames } from '../names.ts';
import { isOpen, useDecision } from './approval-data.ts';
import { Card } from './card.tsx';
import css from './cards.module.css';
import { Outcome } from './outcome.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { cardText } from './text.ts';

/** An agent asks that its space leave plan mode. */
export function PlanExitCard({ ws, approval }: { ws: string; approval: Approval }) {
  const t = useText(cardText);
  const who = useNames(ws)(approval.requester).name;
  const { summary } = approval.arguments as unknown as ApprovalArguments['plan_exit'];
  const isWaiting = isOpen(approval);
  return (
    <Card
      tone={isWaiting ? 'asks' : 'plain'}
      icon={<DoorOpen size={16} />}
      title={t.wantsToBegin(who)}
      actions={isWaiting ? <ExitChoices ws={ws} approval={approval} /> : null}
    >
      <Markdown text={summary} />
      {isWaiting ? <p className={css.soft}>{t.letBeginHint}</p> : <Outcome ws={ws} approval={approval} />}
    </Card>
  );
}

function ExitChoices({ ws, approval }: { ws: string; approval: Approval }) {
  const t = useText(cardText);
  const decide = useDecision(ws, approval);
  const { cannotChange } = useMe();
  const [dialogue, setDialogue] = useState<'changesRequested' | 'refused' | null>(null);
  const close = () => setDialogue(null);
  return (
    <>
      <Button
        kind="primary"
        disabledReason={cannotChange}
        isPending={decide.isPending}
        onClick={() => decide.mutate({ decision: 'approved' })}
      >
        {t.letBegin}
      </Button>
      <Button
        disabledReason={cannotChange}
        isPending={decide.isPending}
        onClick={() => setDialogue('changesRequested')}
      >
        {t.requestChanges}
      </Button>
      <Button
        kind="quiet"
        disabledReason={cannotChange}
        isPending={decide.isPending}
        onClick={() => setDialogue('refused')}
      >
        {t.refuse}
      </Button>
      {dialogue === null ? null : (
        <ReasonDialog
          draftKey={reasonKey(approval)}
          title={dialogue === 'refused' ? t.refuseTitle : t.requestChangesTitle}
          verb={dialogue === 'refused' ? t.refuseNow : t.send}
          isNeeded={dialogue === 'changesRequested'}
          isPending={decide.isPending}
          onClose={close}
          onSend={(reason) =>
            decide.mutate({ decision: dialogue, ...(reason !== '' && { reason }) }, { onSettled: close })
          }
        />
      )}
    </>
  );
}
