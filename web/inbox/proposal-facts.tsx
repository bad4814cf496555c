import type { OrchestrationDetail } from '../../services/orchestration/orchestrations/orchestration.ts';
import { durationRange, money, moneyRange } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { visibleText } from '../ui/visible-text.ts';
import { askText } from './ask-text.ts';
import css from './preview.module.css';

const MOST_SHOWN = 12;

/** Parts, people, money and time of a proposal, in short; Plan Studio has all of it. */
export function ProposalFacts({ detail }: { detail: OrchestrationDetail }) {
  const t = useText(askText);
  const { proposal, kind, budgetMicros } = detail;
  const { tickets, roles, research, discussion } = proposal;
  const hires = roles.flatMap(({ agent }) => ('hire' in agent ? agent.hire.name : []));
  const around = [
    ...(research ? [t.research] : []),
    ...(discussion ? [t.discussion] : []),
    ...(kind === 'plan' ? [] : [t.synthesis]),
  ];
  const rest = tickets.length - MOST_SHOWN;
  const titleOf = (key: string) => roles.find((role) => role.key === key)?.title ?? key;
  return (
    <>
      <dl className={css.facts}>
        <dt>{t.budget}</dt>
        <dd>{money(budgetMicros)}</dd>
        <EstimateFacts detail={detail} />
        {around.length > 0 ? <Fact name={t.phases} value={around.join(', ')} /> : null}
        {hires.length > 0 ? <Fact name={t.hires} value={visibleText(hires.join(', '))} /> : null}
      </dl>
      <h3>
        {kind === 'plan' ? t.nodes(tickets.length) : t.tickets(tickets.length)}
        {kind === 'plan' ? '' : `, ${t.roles(roles.length)}`}
      </h3>
      <ol className={css.parts}>
        {tickets.slice(0, MOST_SHOWN).map(({ key, title, role }) => (
          <li key={key}>
            <span>{visibleText(title)}</span>
            {kind === 'plan' ? null : <span className={css.soft}>{titleOf(role)}</span>}
          </li>
        ))}
      </ol>
      {rest > 0 ? <p className={css.soft}>{t.more(rest)}</p> : null}
    </>
  );
}

/** Simulated where that is known, since quartiles of parts do not add up. Unknown parts make it a lower bound. */
function EstimateFacts({ detail }: { detail: OrchestrationDetail }) {
  const t = useText(askText);
  const { estimate, budgetMicros } = detail;
  const time = estimate.duration.simulated ?? estimate.duration.longestPath;
  const cost = estimate.cost.simulated ?? estimate.cost.sumOfQuartiles;
  const words = (range: string | null, isLeast: boolean) =>
    range === null ? t.unknown : t.simulated(isLeast ? t.atLeast(range) : range);
  const all = estimate.knownNodes + estimate.unknownNodes;
  return (
    <>
      <Fact name={t.estimatedTime} value={words(time && durationRange(time), estimate.duration.atLeast)} />
      <Fact name={t.estimatedCost} value={words(cost && moneyRange(cost), estimate.cost.atLeast)} />
      {estimate.unknownNodes > 0 && estimate.knownNodes > 0 ? (
        <>
          <dt />
          <dd className={css.soft}>{t.unknownSome(estimate.unknownNodes, all)}</dd>
        </>
      ) : null}
      {cost && cost.p75 > budgetMicros ? (
        <>
          <dt />
          <dd className={css.warning}>{t.aboveBudget}</dd>
        </>
      ) : null}
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
