import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { planArbitrary, ticket } from './doubles/plans.ts';
import { planGraph } from './graph.ts';
import { type Flow, layoutPlan } from './layout/layout.ts';
import type { PlanNode } from './plan-view.ts';
import { type Arrow, walk } from './walk.ts';

const SIZE = { width: 200, height: 60 };

function walked(nodes: readonly PlanNode[], flow: Flow) {
  const layout = layoutPlan(
    nodes.map(({ key }) => ({ key, ...SIZE })),
    nodes.flatMap(({ key, needs }) => needs.map((need) => [need, key] as const)),
    { layerGap: { LR: 60, TB: 40 }, nodeGap: { LR: 16, TB: 16 } },
  )(flow);
  const boxes = new Map([...layout.positions].map(([key, at]) => [key, { ...at, ...SIZE }]));
  return { graph: planGraph(nodes), layout, boxes };
}

test('arrows follow the flow: forward to what depends, back to what is needed, across within a layer', () => {
  const nodes = [ticket('a'), ticket('b', ['a']), ticket('c', ['a']), ticket('d', ['b'])];
  const model = walked(nodes, 'LR');
  const first = walk(model, 'a', 'ArrowRight')!;
  expect(['b', 'c']).toContain(first);
  expect(walk(model, 'd', 'ArrowLeft')).toBe('b');
  expect(walk(model, 'a', 'ArrowLeft')).toBeNull();
  expect([walk(model, 'b', 'ArrowDown'), walk(model, 'b', 'ArrowUp')].filter(Boolean)).toEqual(['c']);
  const turned = walked(nodes, 'TB');
  expect(walk(turned, 'd', 'ArrowUp')).toBe('b');
  expect([walk(turned, 'b', 'ArrowRight'), walk(turned, 'b', 'ArrowLeft')].filter(Boolean)).toEqual(['c']);
});

test('every node can be walked to from every other', () => {
  const arrows: Arrow[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
  fc.assert(
    fc.property(planArbitrary(30), fc.constantFrom<Flow>('LR', 'TB'), fc.nat(), (nodes, flow, start) => {
      const model = walked(nodes, flow);
      const seen = new Set([nodes[start % nodes.length]!.key]);
      for (const key of seen)
        for (const arrow of arrows) {
          const next = walk(model, key, arrow);
          if (next) seen.add(next);
        }
      expect(seen.size).toBe(nodes.length);
    }),
    { numRuns: 60 },
  );
});
