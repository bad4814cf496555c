import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type GraphNode, orderGraph } from './core.ts';
import { acyclicGraph, anyGraph } from './reference/arbitraries.ts';
import { referenceOrder, referenceWaves } from './reference/graph.ts';

test('orders an acyclic graph as the reference does, whatever the order of its nodes', () => {
  fc.assert(
    fc.property(acyclicGraph, (nodes) => {
      const waves = referenceWaves(nodes)!;
      expect(orderGraph(nodes)).toEqual({
        ok: true,
        order: referenceOrder(nodes)!,
        waves: Math.max(0, ...[...waves.values()].map((wave) => wave + 1)),
      });
    }),
    { numRuns: 2000 },
  );
});

test('gives the whole path of a cycle, each key needing the next, exactly when there is a cycle', () => {
  fc.assert(
    fc.property(anyGraph, (nodes) => {
      const ordering = orderGraph(nodes);
      expect(ordering.ok).toBe(referenceOrder(nodes) !== null);
      if (ordering.ok || ordering.code !== 'cycle') return;
      const needs = new Map(nodes.map((node) => [node.key, node.needs]));
      const { path } = ordering;
      expect(path.length).toBeGreaterThan(1);
      expect(path.at(-1)).toBe(path[0]!);
      expect(new Set(path).size).toBe(path.length - 1);
      path.slice(1).forEach((key, i) => {
        expect(needs.get(path[i]!)).toContain(key);
      });
    }),
    { numRuns: 2000 },
  );
});

test('names an unknown and a duplicate key with its place', () => {
  expect(
    orderGraph([
      { key: 'a', needs: ['b', 'x'] },
      { key: 'b', needs: [] },
    ]),
  ).toEqual({
    ...{ ok: false, code: 'unknown_key', key: 'x', at: 'nodes[0].needs[1]' },
  });
  expect(
    orderGraph([
      { key: 'a', needs: [] },
      { key: 'a', needs: [] },
    ]),
  ).toEqual({
    ...{ ok: false, code: 'duplicate_key', key: 'a', at: 'nodes[1].key' },
  });
});

test('takes keys that are no slugs: empty, lone surrogates, five million characters, names of properties', () => {
  const keys = ['', '\ud83d', '\ude00', 'x'.repeat(5_000_000), '__proto__', 'constructor', '10', '9'];
  const nodes = keys.map((key, i): GraphNode => ({ key, needs: i === 0 ? [] : [keys[i - 1]!] }));
  expect(orderGraph(nodes.toReversed())).toEqual({ ok: true, order: keys, waves: keys.length });
});

test('a chain of 200,000 nodes and a node with 200,000 needs neither overflow nor take quadratic time', () => {
  const n = 200_000;
  const key = (i: number): string => `k${String(i).padStart(6, '0')}`;
  const chain = Array.from({ length: n }, (_, i) => ({
    key: key(n - i),
    needs: i === 0 ? [] : [key(n - i + 1)],
  }));
  expect(orderGraph(chain)).toMatchObject({ ok: true, waves: n });
  const many = chain.map((node) => ({ key: node.key, needs: [] as string[] }));
  const hub = { key: 'a', needs: many.map((node) => node.key) };
  expect(orderGraph([hub, ...many])).toMatchObject({ ok: true, waves: 2 });
});
