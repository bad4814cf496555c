import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Agent } from '../../services/spaces/agents/schema.ts';
import { texts, useText } from '../i18n/text.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import css from './agent.module.css';
import { AgentAside } from './agent-aside.tsx';
import { AgentEditor } from './agent-editor.tsx';
import { agentText } from './agent-words.ts';
import { NewAgent } from './new-agent.tsx';

const words = texts(
  {
    all: 'All agents',
    gone: 'This agent is not here',
    goneHint: 'There is no agent of this address in this workspace.',
  },
  {
    all: 'Tous les agents',
    gone: 'Cet agent n’est pas là',
    goneHint: 'Aucun agent de cet espace de travail n’a cette adresse.',
  },
);

/** The address of the agent that is not there yet. */
const NEW = 'new';

/** One agent: its settings, what it is about, and what it has cost; or a new one to fill in. */
export default function AgentScreen({ ws, agentId }: { ws: string; agentId: string }) {
  const t = useText(words);
  const agents = useQuery(agentsQuery(ws));
  if (agents.error && !agents.data)
    return <Failed error={agents.error} onRetry={() => void agents.refetch()} />;
  if (!agents.data) return <Loading />;
  if (agentId === NEW) return <NewAgent ws={ws} />;
  const agent = agents.data.items.find(({ id }) => id === agentId);
  if (agent) return <AgentPage ws={ws} agent={agent} />;
  return (
    <Empty title={t.gone}>
      <p>{t.goneHint}</p>
      <Link href="/agents">{t.all}</Link>
    </Empty>
  );
}

function AgentPage({ ws, agent }: { ws: string; agent: Agent }) {
  const common = useText(agentText);
  return (
    <div className={css.screen}>
      <header className={css.head}>
        <nav aria-label={common.agents}>
          <Link href="/agents">{common.agents}</Link>
          <span aria-hidden="true"> / </span>
        </nav>
        <Avatar name={agent.name} kind="agent" />
        <h1>{agent.name}</h1>
        <span className={css.soft}>{agent.title}</span>
      </header>
      <div className={css.columns}>
        <AgentEditor ws={ws} agent={agent} />
        <AgentAside ws={ws} agent={agent} />
      </div>
    </div>
  );
}
