import type { ReactNode } from 'react';
import type { Estimate, Proposal, Range } from '../../core-wasm/core.ts';
import { durationRange, money, moneyRange } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import css from './approval-bar.module.css';
import { estimateOfNode, titleOfNode } from './draft-view.ts';
import { widestNode } from './estimates.ts';
import { useDesk, useEstimate, useProposal } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import { useStructuralTitles } from './plan-screen-view.ts';

const words = texts(
  {
    elapsed: 'Elapsed, p25–p75',
    longest: 'longest path',
    cost: 'Cost, p25–p75',
    sum: 'sum of the nodes',
    simulated: 'simulated as a whole',
    known: 'Nodes with history',
    knownOf: (known: number, all: number) => `${known} of ${all}`,
    unknown: (n: number) => `${n} unknown, not counted`,
    atLeast: 'at least',
    nothing: 'Unknown',
    budget: 'Budget',
    over: 'The cost may go beyond the budget; the work then pauses and asks.',
    overLabel: 'May exceed the budget',
    widest: 'Most uncertain',
    circle: 'The dependencies run in a circle: there is no estimate.',
  },
  {
    elapsed: 'Durée, p25–p75',
    longest: 'plus long chemin',
    cost: 'Coût, p25–p75',
    sum: 'somme des nœuds',
    simulated: 'simulé en entier',
    known: 'Nœuds avec historique',
    knownOf: (known: number, all: number) => `${known} sur ${all}`,
    unknown: (n: number) => plural(n, 'inconnu, non compté', 'inconnus, non comptés'),
    atLeast: 'au moins',
    nothing: 'Inconnu',
    budget: 'Budget',
    over: 'Le coût peut dépasser le budget ; le travail s’arrête alors et vous interroge.',
    overLabel: 'Peut dépasser le budget',
    widest: 'Le plus incertain',
    circle: 'Les dépendances forment un cercle : pas d’estimation.',
  },
);

/** What the plan will take, each range labelled as what it is; what is not known is never counted as nothing. */
export function EstimateFacts() {
  const t = useText(words);
  const proposal = useProposal();
  const estimate = useEstimate(proposal);
  if (!estimate) return <p className={css.soft}>{t.circle}</p>;
  const { cost, duration, knownNodes, unknownNodes } = estimate;
  const all = knownNodes + unknownNodes;
  return (
    <dl className={css.facts}>
      <Fact name={t.elapsed}>
        <Amount
          range={duration.longestPath}
          isAtLeast={duration.atLeast}
          text={durationRange}
          of={t.longest}
        />
        <Amount
          range={duration.simulated}
          isAtLeast={duration.atLeast}
          text={durationRange}
          of={t.simulated}
        />
      </Fact>
      <Fact name={t.cost}>
        <Amount range={cost.sumOfQuartiles} isAtLeast={cost.atLeast} text={moneyRange} of={t.sum} />
        <Amount range={cost.simulated} isAtLeast={cost.atLeast} text={moneyRange} of={t.simulated} />
      </Fact>
      <Budget estimate={estimate} />
      <Fact name={t.known}>
        <strong>{t.knownOf(knownNodes, all)}</strong>
        {unknownNodes > 0 ? <span className={css.warn}>{t.unknown(unknownNodes)}</span> : null}
      </Fact>
      <Widest {...{ estimate, proposal }} />
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface AmountProps {
  range: Range | null;
  isAtLeast: boolean;
  text(range: Range): string;
  of: string;
}

function Amount({ range, isAtLeast, text, of }: AmountProps) {
  const t = useText(words);
  return (
    <span className={css.amount}>
      <strong>
        <data value={range === null ? '' : `${range.p25}/${range.p75}`}>
          {range === null ? t.nothing : isAtLeast ? `${t.atLeast} ${text(range)}` : text(range)}
        </data>
      </strong>{' '}
      <small>{of}</small>
    </span>
  );
}

function Budget({ estimate }: { estimate: Estimate }) {
  const t = useText(words);
  const { detail } = useDesk();
  const high = Math.max(estimate.cost.sumOfQuartiles?.p75 ?? 0, estimate.cost.simulated?.p75 ?? 0);
  return (
    <Fact name={t.budget}>
      <strong>{money(detail.budgetMicros)}</strong>
      {high > detail.budgetMicros ? (
        <span className={css.over} title={t.over}>
          {t.overLabel}
        </span>
      ) : null}
    </Fact>
  );
}

function Widest({ estimate, proposal }: { estimate: Estimate; proposal: Proposal }) {
  const t = useText(words);
  const { go } = usePlanUrl();
  const titles = useStructuralTitles();
  const key = widestNode(estimate);
  const title = key && titleOfNode(proposal, key, titles);
  const range = key ? estimateOfNode(estimate, key)?.durationMs : null;
  if (!title) return null;
  return (
    <Fact name={t.widest}>
      <button type="button" className={css.link} onClick={() => go({ node: key })}>
        {title}
      </button>
      {range ? <small>{durationRange(range)}</small> : null}
    </Fact>
  );
}
