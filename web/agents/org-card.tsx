import { useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { AgentNow } from './agent-now.tsx';
import { agentText } from './agent-words.ts';
import css from './org.module.css';
import type { OrgNode } from './org-graph.ts';
import type { RosterRow } from './roster.ts';

/** What of an agent the chart and the list show alike. */
export function OrgCard({ node, row }: { node: OrgNode; row: RosterRow | undefined }) {
  const t = useText(agentText);
  const { agent, reports } = node;
  return (
    <>
      <Avatar name={agent.name} kind="agent" />
      <span className={css.who}>
        <span className={css.name}>{agent.name}</span>
        <span className={css.title}>{visibleText(agent.title)}</span>
        <span className={css.now}>
          <AgentNow here={row?.here} />
        </span>
        {reports.length > 0 ? <span className="visually-hidden">{t.leads(reports.length)}</span> : null}
      </span>
    </>
  );
}
