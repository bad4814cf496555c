import { memo } from 'react';
import { durationRange, moneyRange } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { Status } from '../ui/status.tsx';
import { visibleText } from '../ui/visible-text.ts';
import css from './outline.module.css';
import { OutlineCell } from './outline-cell.tsx';
import type { Column, Place } from './outline-rows.ts';
import type { PlanNode } from './plan-view.ts';

const words = texts(
  {
    unknown: 'Unknown',
    draft: 'Not started',
    change: { added: 'Added', removed: 'Removed', changed: 'Changed' },
    positions: (n: number) => `All ${n} positions`,
  },
  {
    unknown: 'Inconnu',
    draft: 'Pas commencé',
    change: { added: 'Ajouté', removed: 'Retiré', changed: 'Modifié' },
    positions: (n: number) => `Les ${n} positions`,
  },
);

/** What a row asks of its table; one object for as long as the table is there. */
export interface RowDoes {
  focus(place: Place): void;
  select(key: string): void;
  edit(place: Place): void;
  /** The place has the focus again, if there is one. */
  endEditing(place: Place | null): void;
}

interface RowProps {
  node: PlanNode;
  needed: string;
  columns: readonly Column[];
  isSelected: boolean;
  focusedColumn: Column | null;
  editingColumn: Column | null;
  does: RowDoes;
}

/** A node of the outline. Of five hundred rows only those that differ are drawn again when somebody types. */
export const OutlineRow = memo(function OutlineRow(props: RowProps) {
  const { node, needed, columns, isSelected, focusedColumn, editingColumn, does } = props;
  const t = useText(words);
  return (
    <tr aria-level={2} aria-selected={isSelected} data-change={node.change} className={css.node}>
      {columns.map((column) => (
        <OutlineCell
          key={column}
          {...{ column, node }}
          text={textOf(t, node, column, needed)}
          isFocusable={column === focusedColumn}
          isEditing={column === editingColumn}
          onFocus={() => does.focus({ row: node.key, column })}
          onSelect={() => does.select(node.key)}
          onEdit={() => does.edit({ row: node.key, column })}
          onEnd={(isByKey) => does.endEditing(isByKey ? { row: node.key, column } : null)}
        >
          {column === 'status' && node.status ? (
            <Status status={node.status} {...(node.statusNote && { label: node.statusNote })} />
          ) : null}
        </OutlineCell>
      ))}
    </tr>
  );
});

function textOf(t: (typeof words)['en'], node: PlanNode, column: Column, needed: string): string {
  switch (column) {
    case 'title':
      return visibleText(node.title);
    case 'role':
      return node.roleTitle ?? '';
    case 'needs':
      return areAllPositions(node) ? t.positions(node.needs.length) : needed;
    case 'elapsed':
      return node.estimate?.durationMs ? durationRange(node.estimate.durationMs) : t.unknown;
    case 'cost':
      return node.estimate?.costMicros ? moneyRange(node.estimate.costMicros) : t.unknown;
    case 'status':
      return node.change ? t.change[node.change] : node.status ? '' : t.draft;
  }
}

const areAllPositions = ({ needs }: PlanNode): boolean =>
  needs.length > 1 && needs.every((need) => need.startsWith('position/'));
