import { ShieldQuestionMark } from 'lucide-react';
import type { Approval, ApprovalArguments, ApprovalKind } from '../../../services/spaces/approvals/schema.ts';
import { FailedLooks } from '../../agents/failed-looks.tsx';
import { useText } from '../../i18n/text.ts';
import { answerKey, reasonKey } from '../../inbox/written.ts';
import { useMe } from '../../shell/use-me.ts';
import { Failed } from '../../ui/states.tsx';
import { useNames } from '../names.ts';
import { inputText } from '../runs/call-words.ts';
import { toolVerbs } from '../runs/text.ts';
import { ScrollingText } from '../scrolling-text.tsx';
import { ActionChoices } from './action-choices.tsx';
import { isOpen, useApproval } from './approval-data.ts';
import { Card } from './card.tsx';
import css from './cards.module.css';
import { AskedEffects, WhyAsked } from './effects.tsx';
import { Outcome } from './outcome.tsx';
import { PlanExitCard } from './plan-exit-card.tsx';
import { QuestionCard } from './question-card.tsx';
import { cardText } from './text.ts';
import { Written } from './written.tsx';

/** Whatever waits for a person's word, by the id of its approval, and afterwards what became of it. */
export function ApprovalCard({ ws, approvalId }: { ws: string; approvalId: string }) {
  const approval = useApproval(ws, approvalId);
  const me = useMe().actor;
  if (approval.error && !approval.data)
    return <Failed error={approval.error} onRetry={() => void approval.refetch()} />;
  if (!approval.data) return <div className={css.waiting} />;
  const Kind = KINDS[approval.data.kind] ?? ActionCard;
  return (
    <>
      <Kind ws={ws} approval={approval.data} />
      {isOpen(approval.data) || approval.data.decidedBy === me ? null : (
        <>
          <Written draftKey={answerKey(approval.data)} />
          <Written draftKey={reasonKey(approval.data)} />
        </>
      )}
      <FailedLooks looks={[approval]} />
    </>
  );
}

const KINDS: Partial<Record<ApprovalKind, typeof ActionCard>> = {
  question: QuestionCard,
  plan_exit: PlanExitCard,
};

function ActionCard({ ws, approval }: { ws: string; approval: Approval }) {
  const t = useText(cardText);
  const who = useNames(ws)(approval.requester).name;
  const isWaiting = isOpen(approval);
  return (
    <Card
      tone={isWaiting ? 'asks' : 'plain'}
      icon={<ShieldQuestionMark size={16} />}
      title={t.asksTo(who)}
      actions={isWaiting ? <ActionChoices ws={ws} approval={approval} /> : null}
    >
      <ActionFacts approval={approval} isWaiting={isWaiting} />
      {isWaiting ? null : <Outcome ws={ws} approval={approval} />}
    </Card>
  );
}

/** The action by name, all of its input, and what it may do. */
function ActionFacts({ approval, isWaiting }: { approval: Approval; isWaiting: boolean }) {
  const t = useText(cardText);
  const verbs: Record<string, string> = useText(toolVerbs);
  const verdicts: Record<string, string> = t.verdicts;
  const asked = approval.arguments as unknown as ApprovalArguments['action'];
  if (!('input' in asked)) {
    const verdict = 'verdict' in asked ? asked.verdict : '';
    return <p>{verdict === '' ? approval.subject : t.review(verdicts[verdict] ?? verdict)}</p>;
  }
  const text = inputText(asked.input);
  return (
    <>
      <p>
        <strong>{verbs[asked.tool] ?? asked.tool}</strong> <code>{asked.tool}</code>
      </p>
      <ScrollingText label={t.willRun} className={isWaiting ? css.exact : css.exactShort}>
        {text}
      </ScrollingText>
      {isWaiting ? (
        <dl className={css.facts}>
          <dt>{t.why}</dt>
          <dd>
            <WhyAsked reason={asked.reason} />
          </dd>
          <dt>{t.effects}</dt>
          <dd>
            <AskedEffects effects={asked.classes} asked={asked.asked} />
          </dd>
        </dl>
      ) : null}
      {approval.status === 'unattended' ? <p className={css.soft}>{t.unattended}</p> : null}
    </>
  );
}
