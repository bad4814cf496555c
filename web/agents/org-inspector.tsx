import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Agent } from '../../services/spaces/agents/schema.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { visibleText } from '../ui/visible-text.ts';
import { AgentNow, AgentStep } from './agent-now.tsx';
import { agentText } from './agent-words.ts';
import { CannotChange } from './cannot-change.tsx';
import { NewAgentLink } from './new-agent-link.tsx';
import css from './org.module.css';
import { circleOf, orgGraph } from './org-graph.ts';
import { orgText } from './org-text.ts';
import type { RosterRow } from './roster.ts';
import { SuperiorField } from './superior-field.tsx';

interface OrgInspectorProps {
  ws: string;
  agents: readonly Agent[];
  row: RosterRow | undefined;
  onChange(agent: Agent, superior: string | null): void;
}

/** The selected agent, and the way to another superior without a drag. */
export function OrgInspector({ ws, agents, row, onChange }: OrgInspectorProps) {
  const t = useText(orgText);
  const common = useText(agentText);
  const { cannotChange } = useMe();
  if (!row)
    return (
      <section className={css.inspector} aria-label={t.selected}>
        <h2>{t.none}</h2>
        {cannotChange === null ? <p className={css.soft}>{t.noneHint}</p> : <CannotChange />}
      </section>
    );
  const { agent } = row;
  const reports = agents.filter(({ reportsTo }) => reportsTo === agent.id);
  return (
    <section className={css.inspector} aria-label={t.selected}>
      <div>
        <h2>{agent.name}</h2>
        <p className={css.soft}>{visibleText(agent.title)}</p>
      </div>
      <AgentNow here={row.here} />
      <AgentStep ws={ws} here={row.here} />
      <SuperiorChoice key={agent.id} agent={agent} agents={agents} onChange={onChange} />
      {reports.length > 0 ? (
        <div>
          <h3>{t.reports}</h3>
          <p>
            {reports
              .map(({ name }) => name)
              .toSorted()
              .join(', ')}
          </p>
        </div>
      ) : null}
      <Link href={`/agents/${agent.id}`}>{t.openSettings}</Link>
      <NewAgentLink superior={agent.id}>{common.newAgent}</NewAgentLink>
      {cannotChange === null ? <p className={css.soft}>{t.how}</p> : <CannotChange />}
    </section>
  );
}

interface SuperiorChoiceProps {
  agent: Agent;
  agents: readonly Agent[];
  onChange(agent: Agent, superior: string | null): void;
}

/** Saved as it is chosen; a choice that cannot be stays with its reason until another is made. */
function SuperiorChoice({ agent, agents, onChange }: SuperiorChoiceProps) {
  const present = agent.reportsTo ?? '';
  const [refused, setRefused] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever it reports to now, the old refusal is over
  useEffect(() => setRefused(null), [present]);
  const choose = (value: string) => {
    const isRefused = value !== '' && circleOf(orgGraph(agents), agent.id, value) !== null;
    setRefused(isRefused ? value : null);
    if (!isRefused && value !== present) onChange(agent, value === '' ? null : value);
  };
  return (
    <SuperiorField id={agent.id} agents={agents} value={refused ?? present} error={null} onChange={choose} />
  );
}
