import { Link } from 'wouter';
import { ago, duration, money } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { useNow } from '../ui/use-now.ts';
import css from './agent.module.css';
import { useAgentRuns } from './agent-history.ts';
import { statusOf } from './run-status.ts';

const words = texts(
  { none: 'It has not run yet.', unknownCost: 'cost unknown', all: 'All runs' },
  { none: 'Pas encore d’exécution.', unknownCost: 'coût inconnu', all: 'Toutes les exécutions' },
);

const MOST = 6;

/** The latest runs of an agent, the newest first, and the way to all of them. */
export function AgentRuns({ ws, agentId }: { ws: string; agentId: string }) {
  const t = useText(words);
  const now = useNow();
  const list = useAgentRuns(ws, agentId);
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0) return <p className={css.soft}>{t.none}</p>;
  return (
    <>
      <ul className={css.list}>
        {items.slice(0, MOST).map((run) => (
          <li key={run.id} className={css.run}>
            <Link href={`/runs/${run.id}`}>{ago(run.createdAt, Math.max(now, run.createdAt))}</Link>
            <Status status={statusOf(run)} />
            <span className={css.soft}>
              {run.startedAt !== null && run.endedAt !== null
                ? `${duration(run.endedAt - run.startedAt)} · `
                : null}
              {run.costMicros === null ? t.unknownCost : money(run.costMicros)}
            </span>
          </li>
        ))}
      </ul>
      {items.length > MOST ? <Link href={`/agents/${agentId}?tab=runs`}>{t.all}</Link> : null}
    </>
  );
}
