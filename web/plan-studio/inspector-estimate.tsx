import type { Proposal } from '../../core-wasm/core.ts';
import { durationRange, moneyRange } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { estimateOfNode } from './draft-view.ts';
import css from './inspector.module.css';
import { useDesk, useEstimate } from './plan-screen-context.ts';

const words = texts(
  {
    estimate: 'Estimate, p25–p75',
    elapsed: 'Elapsed',
    cost: 'Cost',
    unknown: 'Unknown',
    source: (runs: number, agent: string) =>
      `From ${plural(runs, 'completed run', 'completed runs')} of ${agent}.`,
    noRuns: (agent: string) => `${agent} has completed no run yet.`,
    noAgent: 'The role is hired at approval and has no history.',
    critical: 'On the longest path: what delays it delays the plan.',
  },
  {
    estimate: 'Estimation, p25–p75',
    elapsed: 'Durée',
    cost: 'Coût',
    unknown: 'Inconnu',
    source: (runs: number, agent: string) =>
      `D’après ${plural(runs, 'exécution terminée', 'exécutions terminées')} de ${agent}.`,
    noRuns: (agent: string) => `${agent} n’a encore terminé aucune exécution.`,
    noAgent: 'Le rôle est recruté à l’approbation et n’a pas d’historique.',
    critical: 'Sur le plus long chemin : ce qui le retarde retarde le plan.',
  },
);

/** A node's range and where it comes from; without history it is unknown. */
export function NodeEstimateFacts({
  proposal,
  stepKey,
  role,
}: {
  proposal: Proposal;
  stepKey: string;
  role: string;
}) {
  const t = useText(words);
  const { basis } = useDesk();
  const estimate = useEstimate(proposal);
  const node = estimateOfNode(estimate, stepKey);
  const facts = basis?.roles[role];
  const agent = facts?.agentName ?? null;
  return (
    <section className={css.block} aria-label={t.estimate}>
      <h3>{t.estimate}</h3>
      <dl className={css.facts}>
        <div>
          <dt>{t.elapsed}</dt>
          <dd>{node?.durationMs ? durationRange(node.durationMs) : t.unknown}</dd>
        </div>
        <div>
          <dt>{t.cost}</dt>
          <dd>{node?.costMicros ? moneyRange(node.costMicros) : t.unknown}</dd>
        </div>
      </dl>
      {facts ? (
        <p className={css.soft}>
          {agent === null ? t.noAgent : facts.runs > 0 ? t.source(facts.runs, agent) : t.noRuns(agent)}
        </p>
      ) : null}
      {estimate?.criticalPath.includes(stepKey) ? <p className={css.soft}>{t.critical}</p> : null}
    </section>
  );
}
