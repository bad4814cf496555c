import { plainLine } from '../plain-text.ts';
import { type Column, table } from './table.ts';

const WIDEST = 24;

/** A table whose rows say, after their first cell, of which workspace they are where they are not all of one. */
export function tableOfWorkspaces(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  workspaces: readonly string[],
  empty: string,
): string {
  if (new Set(workspaces).size < 2) return table(columns, rows, empty);
  const names = workspaces.map((name) => plainLine(name, WIDEST));
  const wider = rows.map((row, i) => row.toSpliced(1, 0, names[i] ?? ''));
  return table(columns.toSpliced(1, 0, { title: 'WORKSPACE', max: WIDEST }), wider, empty);
}
