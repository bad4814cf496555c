import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import type { Orchestration } from '../../services/orchestration/orchestrations/orchestration.ts';
import { FailedLooks } from '../agents/failed-looks.tsx';
import { ask, orchestration } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { useNames } from '../conversation/names.ts';
import { ago, dateTime, money } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { useNow } from '../ui/use-now.ts';
import { LabelledSelect } from './labelled-select.tsx';
import { planState, statusLabels, statusWord } from './plan-screen-status.ts';
import css from './plans-screen.module.css';
import { type PlansFilter, readPlansFilter, STATUSES, writePlansFilter } from './plans-screen-filter.ts';

const words = texts(
  {
    title: 'Plans',
    kind: 'Kind',
    status: 'Status',
    any: 'Any',
    orchestration: 'Orchestration',
    plan: 'Plan',
    empty: 'No plans yet',
    how: 'Talk to an agent in a space in Plan or Orchestrate mode: what it proposes stands here.',
    none: 'No plan matches',
    clear: 'Show all',
    more: 'Show older',
    columns: {
      goal: 'Goal',
      status: 'Status',
      spent: 'Spent of budget',
      by: 'Proposed by',
      changed: 'Changed',
    },
    spentOf: (spent: string, budget: string) => `${spent} of ${budget}`,
    atLeast: (sum: string) => `at least ${sum}`,
  },
  {
    title: 'Plans',
    kind: 'Type',
    status: 'État',
    any: 'Tous',
    orchestration: 'Orchestration',
    plan: 'Plan',
    empty: 'Pas encore de plan',
    how: 'Parlez à un agent dans un espace en mode Plan ou Orchestration : ce qu’il propose apparaît ici.',
    none: 'Aucun plan ne correspond',
    clear: 'Tout afficher',
    more: 'Afficher les plus anciens',
    columns: {
      goal: 'Objectif',
      status: 'État',
      spent: 'Dépensé sur budget',
      by: 'Proposé par',
      changed: 'Modifié',
    },
    spentOf: (spent: string, budget: string) => `${spent} sur ${budget}`,
    atLeast: (sum: string) => `au moins ${sum}`,
  },
);

const PAGE = '50';

/** Every plan and orchestration of the workspace, newest first. */
export default function PlansScreen({ ws }: { ws: string }) {
  const t = useText(words);
  const [search, setSearch] = useSearchParams();
  const filter = readPlansFilter(search);
  const choose = (change: Partial<PlansFilter>) =>
    setSearch((before) => writePlansFilter(before, { ...filter, ...change }), { replace: true });
  return (
    <div className={css.screen}>
      <header className={css.header}>
        <h1>{t.title}</h1>
        <Filters filter={filter} onChoose={choose} />
      </header>
      <PlanList ws={ws} filter={filter} onClear={() => choose({ kind: null, status: null })} />
    </div>
  );
}

function Filters({
  filter,
  onChoose,
}: {
  filter: PlansFilter;
  onChoose(change: Partial<PlansFilter>): void;
}) {
  const t = useText(words);
  const labels = useText(statusLabels);
  return (
    <div className={css.filters}>
      <LabelledSelect
        label={t.kind}
        value={filter.kind ?? ''}
        onChoose={(kind) => onChoose({ kind: (kind || null) as PlansFilter['kind'] })}
      >
        <option value="">{t.any}</option>
        <option value="orchestration">{t.orchestration}</option>
        <option value="plan">{t.plan}</option>
      </LabelledSelect>
      <LabelledSelect
        label={t.status}
        value={filter.status ?? ''}
        onChoose={(status) => onChoose({ status: (status || null) as PlansFilter['status'] })}
      >
        <option value="">{t.any}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {labels[status]}
          </option>
        ))}
      </LabelledSelect>
    </div>
  );
}

function usePlanPages(ws: string, { kind, status }: PlansFilter) {
  return useInfiniteQuery({
    queryKey: [...keys.orchestrations(ws), 'list', kind, status],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      ask(
        orchestration.api.workspaces[':workspaceId'].orchestrations.$get({
          param: { workspaceId: ws },
          query: {
            limit: PAGE,
            ...(pageParam && { after: pageParam }),
            ...(kind && { kind }),
            ...(status && { status }),
          },
        }),
      ),
    getNextPageParam: (page) => page.next,
  });
}

function PlanList({ ws, filter, onClear }: { ws: string; filter: PlansFilter; onClear(): void }) {
  const t = useText(words);
  const pages = usePlanPages(ws, filter);
  if (!pages.data)
    return pages.error ? <Failed error={pages.error} onRetry={() => void pages.refetch()} /> : <Loading />;
  const items = pages.data.pages.flatMap((page) => page.items) as unknown as Orchestration[];
  const isFiltered = filter.kind !== null || filter.status !== null;
  if (items.length === 0)
    return (
      <Empty title={isFiltered ? t.none : t.empty}>
        {isFiltered ? <Button onClick={onClear}>{t.clear}</Button> : <p>{t.how}</p>}
      </Empty>
    );
  return (
    <div className={css.scroller}>
      <FailedLooks looks={[pages]} />
      <table className={css.table}>
        <thead>
          <tr>
            {Object.entries(t.columns).map(([name, label]) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <PlanRow key={item.id} {...{ ws, item }} />
          ))}
        </tbody>
      </table>
      {pages.hasNextPage ? (
        <Button isPending={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          {t.more}
        </Button>
      ) : null}
    </div>
  );
}

function PlanRow({ ws, item }: { ws: string; item: Orchestration }) {
  const t = useText(words);
  const labels = useText(statusLabels);
  const now = useNow();
  const names = useNames(ws);
  const { id, kind, goal, spentMicros, budgetMicros, costUnknown, updatedAt } = item;
  const spent = costUnknown ? t.atLeast(money(spentMicros)) : money(spentMicros);
  return (
    <tr>
      <th scope="row">
        <Link href={`/plans/${kind}/${id}`} className={css.goal ?? ''}>
          {goal.split('\n')[0]}
        </Link>
        <span className={css.soft}>{t[kind]}</span>
      </th>
      <td>
        <Status status={statusWord(item)} label={labels[planState(item)]} />
      </td>
      <td data-label={t.columns.spent}>{t.spentOf(spent, money(budgetMicros))}</td>
      <td data-label={t.columns.by}>{names(item.proposedBy).name}</td>
      <td data-label={t.columns.changed}>
        <time title={dateTime(updatedAt)}>{ago(updatedAt, now)}</time>
      </td>
    </tr>
  );
}
