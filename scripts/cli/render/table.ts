import { cutTo, padTo } from '../plain-text.ts';

export interface Column {
  title: string;
  /** Widest it may get; cells beyond are cut. */
  max?: number;
  align?: 'left' | 'right';
}

/** Aligned columns under a heading; cells are plain text. An empty table is one line saying so. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const widths = columns.map((column, i) => {
    const widest = Math.max(
      Bun.stringWidth(column.title),
      ...rows.map((row) => Bun.stringWidth(row[i] ?? '')),
    );
    return Math.min(column.max ?? widest, widest);
  });
  const lines = [columns.map((column) => column.title), ...rows].map((cells) =>
    columns.map((column, i) => cellText(cells[i] ?? '', widths[i] ?? 0, column.align)).join('  '),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}

function cellText(text: string, width: number, align: Column['align']): string {
  const cut = cutTo(text, width);
  return align === 'right' ? ' '.repeat(width - Bun.stringWidth(cut)) + cut : padTo(cut, width);
}
