import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Agent } from '../../services/spaces/agents/schema.ts';
import { texts, useText } from '../i18n/text.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { visibleText } from '../ui/visible-text.ts';
import css from './agent.module.css';
import { AgentAside } from './agent-aside.tsx';
import { AgentChangesTab } from './agent-changes-tab.tsx';
import { AgentEditor } from './agent-editor.tsx';
import { AgentRunsTab } from './agent-runs-tab.tsx';
import { agentText } from './agent-words.ts';
import { CannotChange } from './cannot-change.tsx';
import { FailedLooks } from './failed-looks.tsx';
import { NewAgent } from './new-agent.tsx';
import { TabList } from './tab-list.tsx';
import { useUrlChoice } from './url-state.ts';

const words = texts(
  {
    all: 'All agents',
    gone: 'This agent is not here',
    goneHint: 'There is no agent of this address in this workspace.',
    parts: 'Parts of the agent',
    tabs: { settings: 'Settings', runs: 'Runs', changes: 'Changes' },
  },
  {
    all: 'Tous les agents',
    gone: 'Cet agent n’est pas là',
    goneHint: 'Aucun agent de cet espace de travail n’a cette adresse.',
    parts: 'Parties de l’agent',
    tabs: { settings: 'Réglages', runs: 'Exécutions', changes: 'Modifications' },
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

const TABS = ['settings', 'runs', 'changes'] as const;

function AgentPage({ ws, agent }: { ws: string; agent: Agent }) {
  const t = useText(words);
  const common = useText(agentText);
  const [tab, setTab] = useUrlChoice('tab', TABS);
  const agents = useQuery(agentsQuery(ws));
  return (
    <div className={css.screen}>
      <header className={css.head}>
        <nav aria-label={common.agents}>
          <Link href="/agents">{common.agents}</Link>
          <span aria-hidden="true"> / </span>
        </nav>
        <Avatar name={agent.name} kind="agent" />
        <h1>{agent.name}</h1>
        <span className={css.soft}>{visibleText(agent.title)}</span>
      </header>
      <CannotChange />
      <FailedLooks looks={[agents]} />
      <div className={css.columns}>
        <div className={css.main}>
          <TabList
            label={t.parts}
            tabs={TABS}
            words={t.tabs}
            selected={tab}
            panelId="agent-panel"
            onSelect={setTab}
          />
          <section id="agent-panel" role="tabpanel" aria-label={t.tabs[tab]} className={css.panel}>
            {tab === 'settings' ? <AgentEditor ws={ws} agent={agent} /> : null}
            {tab === 'runs' ? <AgentRunsTab ws={ws} agentId={agent.id} /> : null}
            {tab === 'changes' ? <AgentChangesTab ws={ws} agentId={agent.id} /> : null}
          </section>
        </div>
        <AgentAside ws={ws} agent={agent} />
      </div>
    </div>
  );
}
