import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Run } from '../../services/runs/runs/schema.ts';
import { ask, runs } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { idBefore } from '../conversation/runs/id-at.ts';
import { ago, duration, money } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import type { StatusWord } from '../ui/status-words.ts';
import { useNow } from '../ui/use-now.ts';
import css from './agent.module.css';

const words = texts(
  {
    none: 'None in the last seven days.',
    unknownCost: 'cost unknown',
    more: (n: number) => `and ${plural(n, 'older run', 'older runs')}`,
  },
  {
    none: 'Aucune dans les sept derniers jours.',
    unknownCost: 'coût inconnu',
    more: (n: number) => `et ${plural(n, 'exécution plus ancienne', 'exécutions plus anciennes')}`,
  },
);

const DAYS_MS = 7 * 24 * 60 * 60 * 1_000;
const MOST = 12;

const STATUS: Record<Run['status'], StatusWord> = {
  queued: 'pending',
  running: 'running',
  paused: 'paused',
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

/** The latest runs of an agent, the newest first. */
export function AgentRuns({ ws, agentId }: { ws: string; agentId: string }) {
  const t = useText(words);
  const now = useNow();
  const [since] = useState(() => idBefore('run', Date.now() - DAYS_MS));
  const list = useQuery({
    queryKey: [...keys.liveStates(ws), 'runs-of', agentId],
    queryFn: () => runsOf(ws, agentId, since),
  });
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const items = list.data.toReversed();
  if (items.length === 0) return <p className={css.soft}>{t.none}</p>;
  return (
    <>
      <ul className={css.list}>
        {items.slice(0, MOST).map(({ id, status, createdAt, startedAt, endedAt, costMicros }) => (
          <li key={id} className={css.run}>
            <Link href={`/runs/${id}`}>{ago(createdAt, Math.max(now, createdAt))}</Link>
            <Status status={STATUS[status]} />
            <span className={css.soft}>
              {startedAt !== null && endedAt !== null ? `${duration(endedAt - startedAt)} · ` : null}
              {costMicros === null ? t.unknownCost : money(costMicros)}
            </span>
          </li>
        ))}
      </ul>
      {items.length > MOST ? <p className={css.soft}>{t.more(items.length - MOST)}</p> : null}
    </>
  );
}

/** All that were made after an id, in the order in which they were. */
async function runsOf(workspaceId: string, agentId: string, since: string) {
  const all = [];
  for (let after: string | null = since; after !== null; ) {
    const page: RunsPage = await runsPage(workspaceId, agentId, after);
    all.push(...page.items);
    after = page.next;
  }
  return all;
}

interface RunsPage {
  items: Pick<Run, 'id' | 'status' | 'createdAt' | 'startedAt' | 'endedAt' | 'costMicros'>[];
  next: string | null;
}

async function runsPage(workspaceId: string, agentId: string, after: string): Promise<RunsPage> {
  const at = runs.api.workspaces[':workspaceId'].runs;
  return ask(at.$get({ param: { workspaceId }, query: { agentId, after, limit: '500' } }));
}
