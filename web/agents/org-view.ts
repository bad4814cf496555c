import type { OrgNode } from './org-graph.ts';
import type { RosterRow } from './roster.ts';
import type { Drag } from './use-superior-drag.ts';

/** What the chart and the list are given: the same trees, shown in two ways. */
export interface OrgViewProps {
  trees: readonly OrgNode[];
  rows: ReadonlyMap<string, RosterRow>;
  selectedId: string | null;
  /** Its change is on its way to the server. */
  pendingId: string | null;
  drag: Drag | null;
  onSelect(id: string): void;
  onOpen(id: string): void;
}
