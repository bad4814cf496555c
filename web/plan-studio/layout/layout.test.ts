import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ladder, largePlan, planArbitrary, ticket } from '../doubles/plans.ts';
import type { PlanNode } from '../plan-view.ts';
import { unionOf } from '../union.ts';
import { type Flow, type Layout, type LayoutNode, type LayoutOptions, layoutPlan } from './layout.ts';

const OPTIONS: LayoutOptions = { layerGap: { LR: 64, TB: 48 }, nodeGap: { LR: 16, TB: 24 } };
const SIZES = [
  { width: 224, height: 76 },
  { width: 224, height: 52 },
  { width: 144, height: 36 },
];

const sized = (nodes: readonly PlanNode[]): LayoutNode[] =>
  nodes.map(({ key }, i) => ({ key, ...SIZES[i % SIZES.length]! }));
const edgesOf = (nodes: readonly PlanNode[]) =>
  nodes.flatMap(({ key, needs }) => needs.map((need) => [need, key] as const));
const laidOut = (nodes: readonly PlanNode[], flow: Flow, previous: Layout | null = null) =>
  layoutPlan(sized(nodes), edgesOf(nodes), { ...OPTIONS, previous })(flow);
const flows = fc.constantFrom<Flow>('LR', 'TB');

function boxesOf(nodes: readonly PlanNode[], layout: Layout) {
  return sized(nodes).map((node) => ({ ...node, ...layout.positions.get(node.key)! }));
}

test('no two nodes overlap, all are within the bounds', () => {
  fc.assert(
    fc.property(planArbitrary(60), flows, (nodes, flow) => {
      const layout = laidOut(nodes, flow);
      const boxes = boxesOf(nodes, layout);
      for (const [i, a] of boxes.entries()) {
        expect(a.x >= layout.x && a.x + a.width <= layout.x + layout.width).toBe(true);
        expect(a.y >= layout.y && a.y + a.height <= layout.y + layout.height).toBe(true);
        for (const b of boxes.slice(i + 1)) {
          const isApart =
            a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
          expect(isApart).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('every dependency runs with the flow, and its line goes under no node', () => {
  fc.assert(
    fc.property(planArbitrary(40), flows, (nodes, flow) => {
      const layout = laidOut(nodes, flow);
      const boxes = new Map(boxesOf(nodes, layout).map((box) => [box.key, box]));
      const [start, end] = flow === 'LR' ? (['x', 'width'] as const) : (['y', 'height'] as const);
      for (const [from, to] of edgesOf(nodes)) {
        const [a, b] = [boxes.get(from)!, boxes.get(to)!];
        expect(a[start] + a[end]).toBeLessThan(b[start]);
        for (const { x, y } of layout.bends.get(`${from}>${to}`)!)
          for (const box of boxes.values()) {
            const isInside = x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
            expect(isInside).toBe(false);
          }
      }
    }),
    { numRuns: 40 },
  );
});

test('the same plan gives the same picture', () => {
  fc.assert(
    fc.property(planArbitrary(40), flows, (nodes, flow) => {
      expect(laidOut(nodes, flow)).toEqual(laidOut(nodes, flow));
    }),
    { numRuns: 30 },
  );
});

/** How far most of what both pictures have has moved. */
function medianMove(a: Layout, b: Layout): number {
  const moves = [...a.positions].flatMap(([key, { x, y }]) => {
    const other = b.positions.get(key);
    return other ? [Math.hypot(x - other.x, y - other.y)] : [];
  });
  return moves.sort((p, q) => p - q)[moves.length >> 1] ?? 0;
}

/** Another dependency from an earlier layer to a later one, which changes no layers. */
function rewired(nodes: readonly PlanNode[], { layerOf }: Layout): PlanNode[] {
  const to = nodes[nodes.length - 3]!;
  const from = nodes.find(
    ({ key }) => !to.needs.includes(key) && layerOf.get(key)! + 2 < layerOf.get(to.key)!,
  )!;
  return nodes.map((node) => (node === to ? { ...to, needs: [...to.needs, from.key] } : node));
}

test('an edit moves little: laid out again, most nodes stay within their own extent', () => {
  for (const size of [18, 60, 200])
    for (const flow of ['LR', 'TB'] as const) {
      const nodes = largePlan(size, 6);
      const before = laidOut(nodes, flow);
      const limit = flow === 'LR' ? 76 : 224;
      expect(medianMove(laidOut(nodes, flow, before), before)).toBeLessThan(limit);
      expect(medianMove(laidOut(rewired(nodes, before), flow, before), before)).toBeLessThan(limit);
    }
});

test('what is tied to nothing does not drift away edit by edit', () => {
  const nodes = [...largePlan(40, 6), ticket('alone'), ticket('lonely')];
  const first = laidOut(nodes, 'LR');
  let layout = first;
  for (let i = 0; i < 12; i++) layout = laidOut(nodes, 'LR', layout);
  expect(layout.height).toBeLessThan(first.height * 1.2);
});

test('two revisions whose dependencies run against each other are drawn all the same', () => {
  const before = [ticket('a'), ticket('b', ['a']), ticket('c', ['b'])];
  const after = [ticket('c'), ticket('b', ['c']), ticket('a', ['b'])];
  const nodes = unionOf(before, after, () => true);
  const layout = laidOut(nodes, 'LR');
  expect(layout.positions.size).toBe(3);
  for (const { x, y } of layout.positions.values()) expect(Number.isFinite(x + y)).toBe(true);
});

test('nothing at all is an empty picture', () => {
  expect(laidOut([], 'LR')).toMatchObject({ width: 0, height: 0 });
});

test('a plan of 500 steps takes less than 60 ms, whatever its shape', () => {
  for (const nodes of [largePlan(500), largePlan(500, 4), ladder(166)]) {
    const timesMs = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      const layoutOf = layoutPlan(sized(nodes), edgesOf(nodes), OPTIONS);
      layoutOf('LR');
      layoutOf('TB');
      return performance.now() - startedAt;
    });
    expect(Math.min(...timesMs)).toBeLessThan(60);
  }
});
