import { ArrowDown } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Link } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Status } from '../ui/status.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { AgentNow, AgentStep } from './agent-now.tsx';
import { agentText } from './agent-words.ts';
import css from './agents.module.css';
import { MonthBudget } from './month-budget.tsx';
import type { RosterRow, Sort } from './roster.ts';
import { AgentState } from './state-word.tsx';

const words = texts(
  {
    agent: 'Agent',
    now: 'Now',
    step: 'At work on',
    queue: 'Queue',
    state: 'State',
    month: 'This month',
    sortBy: (column: string) => `Sort by: ${column}`,
  },
  {
    agent: 'Agent',
    now: 'Maintenant',
    step: 'Travaille sur',
    queue: 'File',
    state: 'État',
    month: 'Ce mois-ci',
    sortBy: (column: string) => `Trier par\u202f: ${column}`,
  },
);

interface AgentsTableProps {
  ws: string;
  rows: readonly RosterRow[];
  nameOf(id: string): string | null;
  sort: Sort;
  onSort(sort: Sort): void;
}

/** The roster as a table; on narrow screens each row stands as a card. The arrows walk through the names. */
export function AgentsTable({ ws, rows, nameOf, sort, onSort }: AgentsTableProps) {
  const t = useText(words);
  const common = useText(agentText);
  const head = (key: Sort, label: string) => (
    <th scope="col" aria-sort={sort === key ? (key === 'cost' ? 'descending' : 'ascending') : undefined}>
      <button type="button" className={css.sort} title={t.sortBy(label)} onClick={() => onSort(key)}>
        {label} {sort === key ? <ArrowDown size={13} aria-hidden /> : null}
      </button>
    </th>
  );
  return (
    <table className={css.table} onKeyDown={walk}>
      <thead>
        <tr>
          {head('name', t.agent)}
          <th scope="col">{t.now}</th>
          <th scope="col">{t.step}</th>
          <th scope="col">{t.queue}</th>
          {head('state', t.state)}
          {head('cost', t.month)}
          <th scope="col">{common.reportsTo}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row
            key={row.agent.id}
            ws={ws}
            row={row}
            superior={row.agent.reportsTo && nameOf(row.agent.reportsTo)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({ ws, row, superior }: { ws: string; row: RosterRow; superior: string | null }) {
  const t = useText(words);
  const common = useText(agentText);
  const { agent, here, queued, budget } = row;
  return (
    <tr data-agent={agent.id}>
      <th scope="row">
        <Link href={`/agents/${agent.id}`} className={css.agent}>
          <Avatar name={agent.name} kind="agent" />
          <span className={css.who}>
            <span className={css.name}>{agent.name}</span>
            <span className={css.soft}>{visibleText(agent.title)}</span>
          </span>
        </Link>
      </th>
      <td data-label={t.now}>
        <AgentNow here={here} />
      </td>
      <td data-label={t.step}>
        <AgentStep ws={ws} here={here} />
      </td>
      <td data-label={t.queue}>
        {queued === null ? (
          <span className={css.soft}>{common.unknown}</span>
        ) : (
          <span className={queued === 0 ? css.soft : undefined}>
            {queued === 0 ? common.noneQueued : common.queued(queued)}
          </span>
        )}
      </td>
      <td data-label={t.state}>
        <AgentState row={row} />
      </td>
      <td data-label={t.month}>
        {budget === null ? (
          <Status status="offline" label={common.unknown} />
        ) : (
          <MonthBudget budget={budget} />
        )}
      </td>
      <td data-label={common.reportsTo}>
        {superior === null ? (
          <span className={css.soft}>{common.nobody}</span>
        ) : (
          <Link href={`/agents/${agent.reportsTo}`}>{superior}</Link>
        )}
      </td>
    </tr>
  );
}

const STEPS: Partial<Record<string, (at: number, n: number) => number>> = {
  ArrowDown: (at, n) => Math.min(at + 1, n - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, n) => n - 1,
};

/** From name to name. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody th a')];
  const row = (event.target as Element).closest('tr')?.querySelector<HTMLElement>('th a');
  const at = row ? names.indexOf(row) : -1;
  const to = at < 0 ? undefined : STEPS[event.key]?.(at, names.length);
  if (to === undefined) return;
  event.preventDefault();
  names[to]?.focus();
}
