import { Network, Workflow } from 'lucide-react';
import { Link } from 'wouter';
import type { OrchestrationDetail } from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { FailedLooks } from '../../agents/failed-looks.tsx';
import { durationRange, money, moneyRange } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { planState, statusLabels, statusWord } from '../../plan-studio/plan-screen-status.ts';
import { firstStanding, runAt, standingCounts } from '../../plan-studio/standing.ts';
import buttonCss from '../../ui/button.module.css';
import { Status } from '../../ui/status.tsx';
import { Markdown } from '../markdown.tsx';
import { Card } from './card.tsx';
import css from './cards.module.css';
import { progressOf, stateKey, useOrchestration } from './orchestration-data.ts';
import { ProposalChoices } from './proposal-choices.tsx';
import { proposalText } from './proposal-text.ts';

const GOAL_CHARS = 600;

/**
 * A proposal, or a plan, through all of its states: one card that keeps its place. Before its facts are here, and where they
 * cannot be had, it shows what the message says.
 */
export function ProposalCard({ ws, message }: { ws: string; message: Message }) {
  const t = useText(proposalText);
  const labels = useText(statusLabels);
  const id = String(message.data.orchestrationId ?? '');
  const look = useOrchestration(ws, id);
  const detail = look.data as OrchestrationDetail | undefined;
  const isPlan = message.kind === 'plan';
  const icon = isPlan ? <Workflow size={16} /> : <Network size={16} />;
  const title = (
    <>
      <strong>{isPlan ? t.plan : t.proposal}</strong>
      {detail ? (
        <span className={css.soft}> {t.revision(detail.approvedRevision ?? detail.revision)}</span>
      ) : null}
    </>
  );
  if (!detail)
    return (
      <Card icon={icon} title={title}>
        <Markdown text={message.body} />
        <FailedLooks looks={[look]} />
      </Card>
    );
  const isAsking = stateKey(detail) === 'proposed';
  return (
    <Card
      tone={isAsking ? 'asks' : 'plain'}
      icon={icon}
      title={title}
      aside={<Status status={statusWord(detail)} label={labels[planState(detail)]} />}
      actions={
        <ProposalChoices ws={ws} detail={detail}>
          <Link href={`/plans/${detail.kind}/${id}`} className={buttonCss.button}>
            {t.openStudio}
          </Link>
        </ProposalChoices>
      }
    >
      <p className={css.goal}>{shortened(detail.goal)}</p>
      <ProposalFacts detail={detail} />
      <ProposalState detail={detail} />
      <FailedLooks looks={[look]} />
    </Card>
  );
}

const shortened = (goal: string) => (goal.length > GOAL_CHARS ? `${goal.slice(0, GOAL_CHARS - 1)}…` : goal);

function ProposalFacts({ detail }: { detail: OrchestrationDetail }) {
  const t = useText(proposalText);
  const { proposal, kind, budgetMicros, spentMicros, costUnknown, deferred, pipelineRunId } = detail;
  const spent = money(spentMicros);
  return (
    <p className={css.line}>
      <span>
        {kind === 'plan' ? t.nodes(proposal.tickets.length) : t.subTickets(proposal.tickets.length)}
      </span>
      {kind === 'plan' ? null : <span>{t.roles(proposal.roles.length)}</span>}
      <span>{t.budget(money(budgetMicros))}</span>
      {pipelineRunId === null ? (
        <EstimateLine detail={detail} />
      ) : (
        <span>{costUnknown ? t.spentAtLeast(spent) : t.spent(spent)}</span>
      )}
      {deferred.length > 0 ? <span>{t.deferred(deferred.length)}</span> : null}
    </p>
  );
}

function EstimateLine({ detail: { estimate } }: { detail: OrchestrationDetail }) {
  const t = useText(proposalText);
  const time = estimate.duration.simulated ?? estimate.duration.longestPath;
  const cost = estimate.cost.simulated ?? estimate.cost.sumOfQuartiles;
  if (time === null || cost === null) return <span>{t.estimateUnknown}</span>;
  const isLeast = estimate.duration.atLeast || estimate.cost.atLeast;
  const words = [durationRange(time), moneyRange(cost)] as const;
  return <span>{isLeast ? t.estimateAtLeast(...words) : t.estimate(...words)}</span>;
}

function ProposalState({ detail }: { detail: OrchestrationDetail }) {
  const t = useText(proposalText);
  const { changesRequestedReason, failure, steps, pipelineStatus } = detail;
  return (
    <>
      {stateKey(detail) === 'changes' && changesRequestedReason ? (
        <p className={css.said}>{t.changesRequested(changesRequestedReason)}</p>
      ) : null}
      {failure ? (
        <p className={css.bad} lang="en">
          {failure.message}
        </p>
      ) : null}
      {steps.length > 0 ? <ProgressLine steps={steps} /> : null}
      {pipelineStatus === 'suspended' ? <Status status="paused" label={t.suspended} /> : null}
    </>
  );
}

function ProgressLine({ steps }: Pick<OrchestrationDetail, 'steps'>) {
  const t = useText(proposalText);
  const { all, done, failed } = progressOf(steps);
  const { running, awaiting, halted, blocked } = standingCounts(steps);
  const label = t.progress(done, all);
  return (
    <div className={css.progress}>
      <progress max={all} value={done} aria-label={label} />
      <span className={css.line}>
        <span>{label}</span>
        {running > 0 ? <span>{t.runningSteps(running)}</span> : null}
        {awaiting > 0 ? <Status status="awaiting" label={t.awaitingSteps(awaiting)} /> : null}
        {halted > 0 ? <Status status="paused" label={t.haltedSteps(halted)} /> : null}
        {blocked > 0 ? <Status status="blocked" label={t.blockedSteps(blocked)} /> : null}
        {failed > 0 ? <Status status="failed" label={t.failedSteps(failed)} /> : null}
        <StandingLink steps={steps} />
      </span>
    </div>
  );
}

/** To where the step can be helped that stands still. */
function StandingLink({ steps }: Pick<OrchestrationDetail, 'steps'>) {
  const t = useText(proposalText);
  const step = firstStanding(steps);
  const run = step === undefined ? null : runAt(step);
  if (run === null) return null;
  return run.approvalId === null ? (
    <Link href={`/runs/${run.atRunId}`}>{t.openRunOf(run.agentName)}</Link>
  ) : (
    <Link href={`/inbox/${run.approvalId}`}>{t.decide}</Link>
  );
}
