import { expect, test } from 'bun:test';
import { modelOf } from './doubles/models.ts';
import { largePlan, ticket } from './doubles/plans.ts';
import { type FlowNode, flowNodes } from './flow-nodes.ts';

const NONE: ReadonlySet<string> = new Set();
const byId = (nodes: readonly FlowNode[]) => new Map(nodes.map((node) => [node.id, node]));

test('what says and stands as before is the same object, also when all was made anew', () => {
  const plan = largePlan(60);
  const first = flowNodes(modelOf(plan), NONE, new Map());
  const again = flowNodes(modelOf(plan.map((node) => ({ ...node }))), NONE, byId(first));
  expect(again.every((node, i) => node === first[i])).toBe(true);
});

test('a new title, estimate or state makes one new object and leaves the others', () => {
  const plan = [ticket('a'), ticket('b', ['a'])];
  const first = byId(flowNodes(modelOf(plan), NONE, new Map()));
  const estimate = { key: 'b', sampleSize: 2, costMicros: null, durationMs: { p25: 1, p75: 2 } };
  for (const change of [
    { title: 'Other' },
    { estimate },
    { status: 'running' as const },
    { statusNote: 'Silent for a while' },
    { isDeferred: true },
  ]) {
    const next = flowNodes(modelOf([plan[0]!, { ...plan[1]!, ...change }]), NONE, first);
    expect([next[0] === first.get('a'), next[1] === first.get('b')]).toEqual([true, false]);
  }
});

test('a node that moved or joined the longest path is new, one that is kept mounted as well', () => {
  const plan = [ticket('a'), ticket('b', ['a'])];
  const first = byId(flowNodes(modelOf(plan), NONE, new Map()));
  const isNew = (nodes: FlowNode[]) => nodes.map((node) => node !== first.get(node.id));
  expect(isNew(flowNodes(modelOf([plan[0]!, ticket('b')]), NONE, first))).toContain(true);
  expect(isNew(flowNodes(modelOf(plan, ['a']), NONE, first))).toEqual([true, false]);
  expect(isNew(flowNodes(modelOf(plan), new Set(['b']), first))).toEqual([false, true]);
});
