// biome-ignore-all lint/a11y/noNoninteractiveElementToInteractiveRole: a tree grid is a table whose cells can be worked on
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the table hears the keys of all its cells
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { plural, texts, useText } from '../i18n/text.ts';
import { ticketKeyOf } from './draft-edits.ts';
import css from './outline.module.css';
import { OutlineRow, type RowDoes } from './outline-row.tsx';
import { COLUMNS, type Column, moved, type Place, type Row, rowsOf, stagesOf } from './outline-rows.ts';
import type { PlanNode, PlanView } from './plan-view.ts';

const words = texts(
  {
    outline: 'Outline of the plan',
    columns: {
      title: 'Title',
      role: 'Role',
      needs: 'Depends on',
      elapsed: 'Elapsed, p25–p75',
      cost: 'Cost, p25–p75',
      status: 'Status',
    },
    stage: (n: number, nodes: number) => `Stage ${n} · ${plural(nodes, 'node', 'nodes')}`,
    helpToRead: 'Arrows move, Enter opens a node, Space selects it.',
    help: 'Arrows move, Enter or F2 edits a cell, Delete removes the sub-ticket, Space selects.',
  },
  {
    outline: 'Liste du plan',
    columns: {
      title: 'Titre',
      role: 'Rôle',
      needs: 'Dépend de',
      elapsed: 'Durée, p25–p75',
      cost: 'Coût, p25–p75',
      status: 'État',
    },
    stage: (n: number, nodes: number) => `Étape ${n} · ${plural(nodes, 'nœud', 'nœuds')}`,
    helpToRead: 'Les flèches déplacent, Entrée ouvre un nœud, Espace le sélectionne.',
    help: 'Les flèches déplacent, Entrée ou F2 modifie une cellule, Suppr supprime le sous-ticket, Espace sélectionne.',
  },
);

interface OutlineProps {
  view: PlanView;
  selectedKey: string | null;
  onSelect(key: string | null): void;
  onOpen(key: string, field: Column): void;
  onDelete(key: string): void;
  isEditable: boolean;
}

const WITHOUT_STATUS = COLUMNS.filter((column) => column !== 'status');
const EDITED: readonly Column[] = ['title', 'role'];

/** The plan as a tree table: the same as the graph, for the keyboard and for screen readers. */
export function Outline({ view, selectedKey, onSelect, onOpen, onDelete, isEditable }: OutlineProps) {
  const t = useText(words);
  const table = useRef<HTMLTableElement>(null);
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [editing, setEditing] = useState<Place | null>(null);
  const stages = useMemo(() => stagesOf(view.nodes), [view.nodes]);
  const rows = useMemo(() => rowsOf(stages, closed), [stages, closed]);
  const columns = hasStatus(view) ? COLUMNS : WITHOUT_STATUS;
  const titles = useMemo(() => new Map(view.nodes.map(({ key, title }) => [key, title])), [view.nodes]);
  const [focused, setFocused] = useState<Place>({ row: selectedKey ?? 'stage-1', column: 'title' });
  const present = rows.some(({ id }) => id === focused.row) ? focused.row : (rows[0]?.id ?? '');
  const focus = (place: Place) => {
    setFocused(place);
    cellAt(table.current, rows, place)?.focus();
  };
  const toggle = (number: number, isOpen: boolean) => {
    const next = new Set(closed);
    if (isOpen) next.delete(number);
    else next.add(number);
    setClosed(next);
  };
  const act = (row: Row, column: Column, key: string): boolean => {
    if (row.kind === 'stage') return actOnStage(row, key, toggle);
    if (key === ' ') onSelect(row.id);
    else if (key === 'Enter' || key === 'F2') {
      if (!row.node.isReadOnly && isEditable && EDITED.includes(column)) setEditing({ row: row.id, column });
      else onOpen(row.id, column === 'needs' ? 'needs' : 'title');
    } else if (key === 'Delete' && isEditable && ticketKeyOf(row.id) !== null) {
      focus(moved(rows, columns, { row: row.id, column }, 'ArrowUp') ?? focused);
      onDelete(row.id);
    } else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows.find(({ id }) => id === present);
    if (editing || !row || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = moved(rows, columns, { row: row.id, column: focused.column }, event.key);
    if (!act(row, focused.column, event.key)) {
      if (!to) return;
      focus(to);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const back = useRef<Place | null>(null);
  const endEditing = (place: Place | null) => {
    back.current = place;
    setEditing(null);
  };
  useLayoutEffect(() => {
    if (editing || !back.current) return;
    cellAt(table.current, rows, back.current)?.focus();
    back.current = null;
  }, [editing, rows]);
  const latest = useRef<RowDoes | null>(null);
  latest.current = {
    focus: setFocused,
    select: (key) => onSelect(key),
    edit: ({ row: id, column }) => {
      const row = rows.find((one) => one.id === id);
      if (row) act(row, column, 'Enter');
    },
    endEditing,
  };
  const [does] = useState<RowDoes>(() => ({
    focus: (place) => latest.current?.focus(place),
    select: (key) => latest.current?.select(key),
    edit: (place) => latest.current?.edit(place),
    endEditing: (place) => latest.current?.endEditing(place),
  }));
  useEffect(() => {
    if (selectedKey)
      table.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selectedKey]);
  return (
    <div className={css.scroller}>
      <p className={css.help} id="outline-help">
        {isEditable ? t.help : t.helpToRead}
      </p>
      <table
        ref={table}
        role="treegrid"
        aria-label={t.outline}
        aria-describedby="outline-help"
        className={css.table}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {t.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) =>
            row.kind === 'stage' ? (
              <tr key={row.id} aria-level={1} aria-expanded={row.isOpen} className={css.stage}>
                <td
                  role="gridcell"
                  colSpan={columns.length}
                  tabIndex={row.id === present ? 0 : -1}
                  data-field={row.id === present ? 'stop' : undefined}
                  data-place={row.id}
                  onFocus={() => setFocused({ row: row.id, column: focused.column })}
                  onClick={() => toggle(row.stage.number, !row.isOpen)}
                >
                  <span className={css.caret} aria-hidden="true" />
                  {t.stage(row.stage.number, row.stage.nodes.length)}
                </td>
              </tr>
            ) : (
              <OutlineRow
                key={row.id}
                {...{ columns, does, node: row.node }}
                needed={neededTitles(row.node, titles)}
                isSelected={row.id === selectedKey}
                focusedColumn={row.id === present ? focused.column : null}
                editingColumn={editing?.row === row.id ? editing.column : null}
              />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

/** Before the approval, and where nothing is compared, no node has a status to show. */
const hasStatus = ({ nodes }: PlanView): boolean =>
  nodes.some(({ status, change }) => status !== null || change);

function actOnStage(
  row: Extract<Row, { kind: 'stage' }>,
  key: string,
  toggle: (n: number, open: boolean) => void,
) {
  const isOpen = { Enter: !row.isOpen, ' ': !row.isOpen, ArrowRight: true, ArrowLeft: false }[key];
  if (isOpen === undefined) return false;
  toggle(row.stage.number, isOpen);
  return true;
}

function cellAt(
  table: HTMLTableElement | null,
  rows: readonly Row[],
  { row, column }: Place,
): HTMLElement | null {
  const isStage = rows.find(({ id }) => id === row)?.kind === 'stage';
  const place = isStage ? row : `${row} ${column}`;
  return table?.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`) ?? null;
}

/** What a node needs, in one text: the same text does not make a row be drawn again. */
const neededTitles = ({ needs }: PlanNode, titles: ReadonlyMap<string, string>): string =>
  needs.flatMap((need) => titles.get(need) ?? []).join(', ');
