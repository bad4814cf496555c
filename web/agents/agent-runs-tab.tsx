import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Run } from '../../services/runs/runs/schema.ts';
import { runText } from '../conversation/runs/text.ts';
import { dateTime, duration, money } from '../i18n/format.ts';
import { plural, texts, useText } from '../i18n/text.ts';
import { spacesQuery } from '../shell/shell-queries.ts';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { visibleText } from '../ui/visible-text.ts';
import css from './agent-history.module.css';
import { useAgentRuns } from './agent-history.ts';
import table from './data-table.module.css';
import { FailedLooks } from './failed-looks.tsx';
import { OlderItems } from './older-items.tsx';
import { statusOf } from './run-status.ts';

const words = texts(
  {
    caption: 'Every run, the newest first',
    begun: 'Made',
    state: 'State',
    why: 'Why',
    space: 'Space',
    took: 'Took',
    cost: 'Cost',
    unknown: 'unknown',
    notYet: 'not over',
    noSpace: 'none',
    none: 'It has not run yet',
    noneHint: 'Mention it in a space, or give it a ticket: its runs are listed here.',
    older: 'Show older runs',
    shown: (n: number) => `${plural(n, 'run', 'runs')} shown`,
    all: (n: number) => (n === 1 ? 'This is its only run.' : `These are all of its ${n} runs.`),
  },
  {
    caption: 'Toutes les exécutions, la plus récente d’abord',
    begun: 'Créée',
    state: 'État',
    why: 'Pourquoi',
    space: 'Espace',
    took: 'Durée',
    cost: 'Coût',
    unknown: 'inconnu',
    notYet: 'pas finie',
    noSpace: 'aucun',
    none: 'Pas encore d’exécution',
    noneHint: 'Mentionnez-le dans un espace ou confiez-lui un ticket\u202f: ses exécutions s’affichent ici.',
    older: 'Afficher les exécutions plus anciennes',
    shown: (n: number) => plural(n, 'exécution affichée', 'exécutions affichées'),
    all: (n: number) => (n === 1 ? 'C’est sa seule exécution.' : `Ce sont toutes ses ${n} exécutions.`),
  },
);

/** All runs that an agent ever had, page by page. */
export function AgentRunsTab({ ws, agentId }: { ws: string; agentId: string }) {
  const t = useText(words);
  const list = useAgentRuns(ws, agentId);
  const spaces = useQuery(spacesQuery(ws)).data?.items;
  if (list.error && !list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const items = list.data.pages.flatMap((page) => page.items);
  if (items.length === 0)
    return (
      <Empty title={t.none}>
        <p>{t.noneHint}</p>
      </Empty>
    );
  const nameOf = (id: string | null) => spaces?.find((space) => space.id === id)?.name ?? null;
  const columns = [t.begun, t.state, t.why, t.space, t.took, t.cost];
  return (
    <>
      <FailedLooks looks={[list]} />
      <table className={table.table}>
        <caption className="visually-hidden">{t.caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((run) => (
            <Row key={run.id} run={run} space={nameOf(run.spaceId)} />
          ))}
        </tbody>
      </table>
      <OlderItems
        list={list}
        label={t.older}
        count={list.hasNextPage ? t.shown(items.length) : t.all(items.length)}
      />
    </>
  );
}

function Row({ run, space }: { run: Run; space: string | null }) {
  const t = useText(words);
  const reasons = useText(runText).triggers;
  const { id, createdAt, startedAt, endedAt, trigger, costMicros, spaceId } = run;
  return (
    <tr>
      <th scope="row">
        <Link href={`/runs/${id}`}>{dateTime(createdAt)}</Link>
      </th>
      <td data-label={t.state}>
        <Status status={statusOf(run)} />
      </td>
      <td data-label={t.why}>{reasons[trigger.kind]}</td>
      <td data-label={t.space}>
        {spaceId === null ? (
          <span className={css.soft}>{t.noSpace}</span>
        ) : (
          <Link href={`/spaces/${spaceId}`}>{visibleText(space ?? spaceId)}</Link>
        )}
      </td>
      <td data-label={t.took} className={table.number}>
        {startedAt === null || endedAt === null ? (
          <span className={css.soft}>{t.notYet}</span>
        ) : (
          duration(endedAt - startedAt)
        )}
      </td>
      <td data-label={t.cost} className={table.number}>
        {costMicros === null ? t.unknown : money(costMicros)}
      </td>
    </tr>
  );
}
