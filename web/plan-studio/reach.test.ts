import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ladder, planArbitrary, ticket } from './doubles/plans.ts';
import { edgeId, planGraph, topologicalOrder } from './graph.ts';
import { reach, redundantEdges, shortestPath } from './reach.ts';

test('a graph leaves out needs that name no node, and itself', () => {
  const graph = planGraph([ticket('a', ['a', 'gone']), ticket('b', ['a', 'a'])]);
  expect(graph.edges().length).toBe(1);
  expect(graph.hasDirectedEdge('a', 'b')).toBe(true);
});

test('a topological order has every node behind its needs; a cycle has none', () => {
  fc.assert(
    fc.property(planArbitrary(), (nodes) => {
      const order = topologicalOrder(planGraph(nodes))!;
      const place = new Map(order.map((key, i) => [key, i]));
      expect(order.length).toBe(nodes.length);
      for (const { key, needs } of nodes)
        for (const need of needs) expect(place.get(need)!).toBeLessThan(place.get(key)!);
    }),
  );
  expect(topologicalOrder(planGraph([ticket('a', ['b']), ticket('b', ['a'])]))).toBeNull();
});

test('up and down are each other: b is down of a exactly when a is up of b, and a way leads there', () => {
  fc.assert(
    fc.property(planArbitrary(), (nodes) => {
      const graph = planGraph(nodes);
      for (const { key: a } of nodes)
        for (const { key: b } of nodes) {
          const isDown = reach(graph, a, 'down').has(b);
          expect(reach(graph, b, 'up').has(a)).toBe(isDown);
          expect(shortestPath(graph, a, b) !== null).toBe(isDown);
        }
    }),
    { numRuns: 25 },
  );
});

test('a shortest path takes dependencies that are there, from end to end', () => {
  const graph = planGraph(ladder(4));
  const path = shortestPath(graph, 'j0', 'j4')!;
  expect(path.length).toBe(9);
  for (let i = 1; i < path.length; i++) expect(graph.hasDirectedEdge(path[i - 1]!, path[i]!)).toBe(true);
});

test('a dependency is redundant exactly when taking it out leaves its start in reach', () => {
  fc.assert(
    fc.property(planArbitrary(40), (nodes) => {
      const graph = planGraph(nodes);
      const redundant = redundantEdges(graph);
      graph.forEachDirectedEdge((edge, _attributes, from, to) => {
        const without = graph.copy();
        without.dropEdge(edge);
        expect(redundant.has(edgeId(from, to))).toBe(reach(without, from, 'down').has(to));
      });
    }),
    { numRuns: 60 },
  );
});

test('a graph with a cycle has no redundant dependencies', () => {
  expect(redundantEdges(planGraph([ticket('a', ['b']), ticket('b', ['a'])])).size).toBe(0);
});
