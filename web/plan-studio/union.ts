import type { Change, PlanNode } from './plan-view.ts';

/** What differs between two revisions, beside needs: for the caller to say, who has all fields of a ticket. */
export type IsSame = (before: PlanNode, after: PlanNode) => boolean;

/**
 * Both revisions in one picture, by key: nodes of the newer one, then those that it no longer has, each saying what happened
 * to it. A node keeps the newer one's fields and the needs of both.
 */
export function unionOf(before: readonly PlanNode[], after: readonly PlanNode[], isSame: IsSame): PlanNode[] {
  const old = new Map(before.map((node) => [node.key, node]));
  const fresh = new Set(after.map(({ key }) => key));
  const removed = before.filter(({ key }) => !fresh.has(key));
  return [
    ...after.map((node) => compared(old.get(node.key) ?? null, node, isSame)),
    ...removed.map((node) => marked(node, 'removed', changesOf(node.needs, []))),
  ];
}

function compared(before: PlanNode | null, after: PlanNode, isSame: IsSame): PlanNode {
  if (!before) return marked(after, 'added', changesOf([], after.needs));
  const needChanges = changesOf(before.needs, after.needs);
  const needs = [...after.needs, ...before.needs.filter((need) => !after.needs.includes(need))];
  // What a structural step waits for follows from the tickets; it is drawn, but nobody changed it.
  const isRewired = after.kind === 'ticket' && Object.keys(needChanges).length > 0;
  const isChanged = isRewired || !isSame(before, after);
  return marked({ ...after, needs }, isChanged ? 'changed' : null, needChanges);
}

function marked(node: PlanNode, change: Change | null, needChanges: PlanNode['needChanges'] = {}): PlanNode {
  return { ...node, isReadOnly: true, needChanges, ...(change ? { change } : {}) };
}

function changesOf(before: readonly string[], after: readonly string[]): Record<string, 'added' | 'removed'> {
  const added = after.filter((need) => !before.includes(need)).map((need) => [need, 'added'] as const);
  const removed = before.filter((need) => !after.includes(need)).map((need) => [need, 'removed'] as const);
  return Object.fromEntries([...added, ...removed]);
}
