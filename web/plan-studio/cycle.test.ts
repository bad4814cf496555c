import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { connectProblem, refusedTargets } from './cycle.ts';
import { ladder, planArbitrary, ticket } from './doubles/plans.ts';
import { planGraph, topologicalOrder } from './graph.ts';
import type { PlanNode } from './plan-view.ts';

const byKey = (nodes: readonly PlanNode[]) => new Map(nodes.map((node) => [node.key, node]));
const connected = (nodes: readonly PlanNode[], from: string, to: string) =>
  nodes.map((node) => (node.key === to ? { ...node, needs: [...node.needs, from] } : node));

test('what is not refused keeps a plan without cycles; a refused cycle is one, along the path that is said', () => {
  fc.assert(
    fc.property(planArbitrary(), (nodes) => {
      const graph = planGraph(nodes);
      for (const { key: from } of nodes)
        for (const { key: to } of nodes) {
          const refusal = connectProblem(graph, byKey(nodes), from, to);
          const order = topologicalOrder(planGraph(connected(nodes, from, to)));
          if (refusal === null) expect(order).not.toBeNull();
          if (refusal?.reason !== 'cycle') continue;
          expect(order).toBeNull();
          expect([refusal.path[0], refusal.path.at(-1)]).toEqual([to, from]);
          for (let i = 1; i < refusal.path.length; i++)
            expect(graph.hasDirectedEdge(refusal.path[i - 1]!, refusal.path[i]!)).toBe(true);
        }
    }),
    { numRuns: 25 },
  );
});

test('the refused ends of a drag are those that each refuse by themselves', () => {
  fc.assert(
    fc.property(planArbitrary(), fc.nat(), fc.nat(), (nodes, a, b) => {
      const readOnly = nodes[b % nodes.length]!.key;
      const all = nodes.map((node) => ({ ...node, isReadOnly: node.key === readOnly }));
      const graph = planGraph(all);
      const from = all[a % all.length]!.key;
      const refused = refusedTargets(graph, byKey(all), from);
      for (const { key } of all)
        expect(refused.has(key)).toBe(connectProblem(graph, byKey(all), from, key) !== null);
    }),
  );
});

test('each reason is its own', () => {
  const nodes = [
    ticket('a'),
    ticket('b', ['a']),
    ticket('done', [], { isReadOnly: true }),
    ticket('synthesis', ['b'], { kind: 'synthesis', isReadOnly: true }),
  ];
  const why = (from: string, to: string) => connectProblem(planGraph(nodes), byKey(nodes), from, to)?.reason;
  expect(why('a', 'a')).toBe('self');
  expect(why('a', 'b')).toBe('duplicate');
  expect(why('a', 'synthesis')).toBe('structural');
  expect(why('synthesis', 'a')).toBe('structural');
  expect(why('a', 'gone')).toBe('structural');
  expect(why('a', 'done')).toBe('read-only');
  expect(why('done', 'a')).toBeUndefined();
});

test('a plan with very many ways through it is answered at once', () => {
  const nodes = ladder(300);
  const graph = planGraph(nodes);
  const startedAt = performance.now();
  const refusal = connectProblem(graph, byKey(nodes), 'j300', 'j0');
  expect(performance.now() - startedAt).toBeLessThan(250);
  expect(refusal).toMatchObject({ reason: 'cycle' });
});
