import { planGraph, topologicalOrder } from './graph.ts';
import type { PlanNode } from './plan-view.ts';

/** Nodes that could be worked on at the same time: all that they need lies in earlier stages. */
export interface Stage {
  /** From 1. */
  number: number;
  nodes: PlanNode[];
}

/** The plan in stages, each node in the earliest it can be in; nodes of a circle make the last one. */
export function stagesOf(nodes: readonly PlanNode[]): Stage[] {
  const graph = planGraph(nodes);
  const levels = new Map<string, number>();
  for (const key of topologicalOrder(graph) ?? []) {
    const needs = graph.inNeighbors(key).map((need) => levels.get(need) ?? 0);
    levels.set(key, Math.max(0, ...needs) + 1);
  }
  const last = Math.max(0, ...levels.values()) + (levels.size < nodes.length ? 1 : 0);
  const stages = Array.from({ length: last }, (_, i): Stage => ({ number: i + 1, nodes: [] }));
  for (const node of nodes) stages[(levels.get(node.key) ?? last) - 1]?.nodes.push(node);
  return stages;
}

/** A row of the tree table that is shown. */
export type Row =
  | { kind: 'stage'; id: string; stage: Stage; isOpen: boolean }
  | { kind: 'node'; id: string; node: PlanNode; stage: Stage };

export function rowsOf(stages: readonly Stage[], closed: ReadonlySet<number>): Row[] {
  return stages.flatMap((stage): Row[] => {
    const isOpen = !closed.has(stage.number);
    const nodes = stage.nodes.map((node): Row => ({ kind: 'node', id: node.key, node, stage }));
    return [{ kind: 'stage', id: `stage-${stage.number}`, stage, isOpen }, ...(isOpen ? nodes : [])];
  });
}

export const COLUMNS = ['title', 'status', 'role', 'needs', 'elapsed', 'cost'] as const;
export type Column = (typeof COLUMNS)[number];
export interface Place {
  row: string;
  column: Column;
}

const PAGE = 10;
const STEPS: Partial<Record<string, (row: number, column: number, last: number) => [number, number]>> = {
  ArrowDown: (row, column) => [row + 1, column],
  ArrowUp: (row, column) => [row - 1, column],
  ArrowRight: (row, column) => [row, column + 1],
  ArrowLeft: (row, column) => [row, column - 1],
  PageDown: (row, column) => [row + PAGE, column],
  PageUp: (row, column) => [row - PAGE, column],
  Home: () => [0, 0],
  End: (_row, _column, last) => [last, 0],
};

/** Where a key leads from a cell; null for a key that moves nothing. Stages have one cell. */
export function moved(
  rows: readonly Row[],
  columns: readonly Column[],
  place: Place,
  key: string,
): Place | null {
  const step = STEPS[key];
  if (!step) return null;
  const at = rows.findIndex(({ id }) => id === place.row);
  const [row, column] = step(at, columns.indexOf(place.column), rows.length - 1);
  const target = rows[Math.min(rows.length - 1, Math.max(0, row))];
  const name = columns[Math.min(columns.length - 1, Math.max(0, column))];
  return target && name ? { row: target.id, column: name } : null;
}
