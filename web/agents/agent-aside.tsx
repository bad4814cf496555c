import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Agent } from '../../services/spaces/agents/schema.ts';
import { texts, useText } from '../i18n/text.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { Status } from '../ui/status.tsx';
import { visibleText } from '../ui/visible-text.ts';
import css from './agent.module.css';
import { AgentNow, AgentStep } from './agent-now.tsx';
import { AgentRuns } from './agent-runs.tsx';
import { agentText } from './agent-words.ts';
import { BudgetForm } from './budget-form.tsx';
import { FailedLooks } from './failed-looks.tsx';
import { MonthBudget } from './month-budget.tsx';
import { NewAgentLink } from './new-agent-link.tsx';
import { AgentState } from './state-word.tsx';
import { useRoster } from './use-roster.ts';

const words = texts(
  {
    now: 'Now',
    month: 'This month',
    cap: 'Limit, dollars a month',
    capHint: 'Counted in UTC. At the limit its runs pause until you raise it or the month ends.',
    runs: 'Latest runs',
    leads: 'Leads',
    add: 'New agent that reports here',
    state: 'State',
  },
  {
    now: 'Maintenant',
    month: 'Ce mois-ci',
    cap: 'Limite, dollars par mois',
    capHint:
      'Compté en UTC. À la limite, ses exécutions se mettent en pause jusqu’à ce que vous la releviez ou que le mois finisse.',
    runs: 'Dernières exécutions',
    leads: 'Dirige',
    add: 'Nouvel agent qui lui rend compte',
    state: 'État',
  },
);

/** Beside an agent's settings: what it does, costs and did, and whom it leads. */
export function AgentAside({ ws, agent }: { ws: string; agent: Agent }) {
  const t = useText(words);
  const common = useText(agentText);
  const { rows, looks } = useRoster(ws);
  const row = rows?.find((one) => one.agent.id === agent.id);
  const reports =
    useQuery(agentsQuery(ws)).data?.items.filter(({ reportsTo }) => reportsTo === agent.id) ?? [];
  return (
    <div className={css.aside}>
      <FailedLooks looks={looks} />
      <section className={css.card} aria-label={t.now}>
        <h2>{t.now}</h2>
        <AgentNow here={row?.here} />
        <AgentStep ws={ws} here={row?.here} />
        <p className={css.line}>
          <span className={css.soft}>{t.state}</span> <AgentState row={row} />
        </p>
        {row?.queued ? <p>{common.queued(row.queued)}</p> : null}
      </section>
      <section className={css.card} aria-label={t.month}>
        <h2>{t.month}</h2>
        {row?.budget ? (
          <MonthBudget budget={row.budget} isLong />
        ) : (
          <Status status="offline" label={common.unknown} />
        )}
        <BudgetForm
          key={agent.id}
          ws={ws}
          target={`agent:${agent.id}`}
          label={t.cap}
          hint={t.capHint}
          capMicros={row?.budget?.capMicros ?? null}
        />
      </section>
      <section className={css.card} aria-label={t.leads}>
        <h2>{t.leads}</h2>
        {reports.length === 0 ? <p className={css.soft}>{common.nobody}</p> : null}
        <ul className={css.list}>
          {reports.map(({ id, name, title }) => (
            <li key={id}>
              <Link href={`/agents/${id}`}>{name}</Link>{' '}
              <span className={css.soft}>{visibleText(title)}</span>
            </li>
          ))}
        </ul>
        <NewAgentLink superior={agent.id}>{t.add}</NewAgentLink>
      </section>
      <section className={css.card} aria-label={t.runs}>
        <h2>{t.runs}</h2>
        <AgentRuns ws={ws} agentId={agent.id} />
      </section>
    </div>
  );
}
