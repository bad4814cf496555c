import { useQuery } from '@tanstack/react-query';
import { Plus, Wallet } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { plural, texts, useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { agentsQuery } from '../shell/shell-queries.ts';
import { useMe } from '../shell/use-me.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { agentText } from './agent-words.ts';
import css from './agents.module.css';
import { AgentsTable } from './agents-table.tsx';
import { BudgetsDialog } from './budgets-dialog.tsx';
import { FailedLooks } from './failed-looks.tsx';
import { FindField } from './find-field.tsx';
import { NewAgentLink } from './new-agent-link.tsx';
import { LIVE_STATES, type LiveState, SORTS, shownRows } from './roster.ts';
import { useUrlChoice, useUrlText } from './url-state.ts';
import { useRoster } from './use-roster.ts';

const words = texts(
  {
    find: 'Find an agent',
    state: 'State',
    allStates: 'All states',
    shown: (n: number, all: number) => (n === all ? plural(n, 'agent', 'agents') : `${n} of ${all} agents`),
    none: 'No agent fits',
    noneHint: 'No name, title or skill has these words, or none is in this state.',
    clear: 'Show all agents',
    empty: 'No agents yet',
    emptyHint:
      'A new workspace gets a CEO and four colleagues within moments. You can also make the first one yourself.',
    budgets: 'Budgets',
  },
  {
    find: 'Chercher un agent',
    state: 'État',
    allStates: 'Tous les états',
    shown: (n: number, all: number) => (n === all ? plural(n, 'agent', 'agents') : `${n} agents sur ${all}`),
    none: 'Aucun agent ne correspond',
    noneHint: 'Aucun nom, titre ou compétence ne contient ces mots, ou aucun agent n’est dans cet état.',
    clear: 'Afficher tous les agents',
    empty: 'Pas encore d’agents',
    emptyHint:
      'Un nouvel espace de travail reçoit sous peu un CEO et quatre collègues. Vous pouvez aussi créer le premier vous-même.',
    budgets: 'Budgets',
  },
);

/** The roster: every agent, what it is about, and what it has cost this month. */
export default function AgentsScreen({ ws }: { ws: string }) {
  const t = useText(words);
  const common = useText(agentText);
  const { rows, error, retry, looks } = useRoster(ws);
  const agents = useQuery(agentsQuery(ws));
  const { cannotChange } = useMe();
  const [text, setText] = useUrlText('q');
  const [state, setState] = useUrlChoice<LiveState | 'all'>('state', ['all', ...LIVE_STATES]);
  const [sort, setSort] = useUrlChoice('sort', SORTS);
  const [isBudgets, setBudgets] = useState(false);
  const [, navigate] = useLocation();
  const find = useRef<HTMLInputElement>(null);
  useKeys([
    { keys: '/', label: t.find, group: common.agents, run: () => find.current?.focus() },
    {
      keys: 'n',
      label: common.newAgent,
      group: common.agents,
      run: () => navigate('/agents/new'),
      when: () => cannotChange === null,
    },
  ]);
  if (error) return <Failed error={error} onRetry={retry} />;
  const shown = rows ? shownRows(rows, { text, state: state === 'all' ? null : state, sort }) : null;
  const nameOf = (id: string) => rows?.find(({ agent }) => agent.id === id)?.agent.name ?? null;
  const clear = () => {
    setText('');
    setState('all');
    find.current?.focus();
  };
  return (
    <div className={css.screen}>
      <header className={css.head}>
        <h1>{common.agents}</h1>
        <div className={css.actions}>
          <Button onClick={() => setBudgets(true)}>
            <Wallet size={15} aria-hidden /> {t.budgets}
          </Button>
          <Link href="/org" className={css.link}>
            {common.orgChart}
          </Link>
          <NewAgentLink className={css.primary}>
            <Plus size={15} aria-hidden /> {common.newAgent}
          </NewAgentLink>
        </div>
      </header>
      <div className={css.filters}>
        <FindField label={t.find} value={text} field={find} onChange={setText} />
        <label>
          <span className="visually-hidden">{t.state}</span>
          <select value={state} onChange={(event) => setState(event.target.value as LiveState | 'all')}>
            <option value="all">{t.allStates}</option>
            {LIVE_STATES.map((one) => (
              <option key={one} value={one}>
                {common.states[one]}
              </option>
            ))}
          </select>
        </label>
        <span role="status" className={css.soft}>
          {shown && rows ? t.shown(shown.length, rows.length) : null}
        </span>
      </div>
      {rows === null ? null : <FailedLooks looks={[agents, ...looks]} />}
      {shown === null ? (
        <Loading />
      ) : shown.length > 0 ? (
        <AgentsTable ws={ws} rows={shown} nameOf={nameOf} sort={sort} onSort={setSort} />
      ) : rows?.length === 0 ? (
        <Empty title={t.empty}>
          <p>{t.emptyHint}</p>
        </Empty>
      ) : (
        <Empty title={t.none}>
          <p>{t.noneHint}</p>
          <Button onClick={clear}>{t.clear}</Button>
        </Empty>
      )}
      {isBudgets ? <BudgetsDialog ws={ws} onClose={() => setBudgets(false)} /> : null}
    </div>
  );
}
