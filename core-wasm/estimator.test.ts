import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CoreError, type EstimateNode, estimate, estimateNodes, loadGraph, orderGraph } from './core.ts';
import { estimateNodes as arbitraryNodes, histories } from './reference/arbitraries.ts';
import { referenceEstimate } from './reference/estimate.ts';
import { Generator } from './reference/generate.ts';

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

/** The error that `run` throws; fails when it throws none or another kind. */
function coreError(run: () => unknown): CoreError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(CoreError);
    return error as CoreError;
  }
  throw new Error('nothing was thrown');
}

test('equals the reference number for number, simulation included', () => {
  fc.assert(
    fc.property(
      arbitraryNodes,
      histories,
      seeds,
      fc.integer({ min: 0, max: 30 }),
      (nodes, past, seed, draws) => {
        expect(estimate(nodes, past, { draws, seed })).toEqual(
          referenceEstimate(nodes, past, { draws, seed }),
        );
      },
    ),
    { numRuns: 2000 },
  );
});

test('a loaded graph after edits equals a graph loaded anew', () => {
  const role = fc.constantFrom('a', 'b', 'late', null);
  const edits = fc.array(fc.tuple(fc.nat(), role, fc.boolean()), { maxLength: 12 });
  fc.assert(
    fc.property(arbitraryNodes, histories, histories, edits, (nodes, past, later, steps) => {
      if (nodes.length === 0) return;
      const graph = loadGraph(nodes).setHistories(past);
      const live = nodes.map((node) => ({ ...node }));
      let current = past;
      // All edits come first: an estimate from objects in between would take the loaded graph's place in memory.
      const states = steps.map(([pick, role, disturb]) => {
        const node = live[pick % live.length]!;
        node.role = role;
        graph.setRole(node.key, role);
        if (disturb) orderGraph(nodes);
        if (pick % 5 === 0) {
          current = later;
          graph.setHistories(later);
        }
        const got = { totals: graph.totals(), estimate: graph.estimate({ draws: pick % 9 }) };
        return { got, nodes: live.map((entry) => ({ ...entry })), current, draws: pick % 9 };
      });
      for (const { got, nodes: then, current: known, draws } of states) {
        const wanted = estimate(then, known, { draws });
        expect(got.estimate).toEqual(wanted);
        expect(got.totals.costMicros).toEqual(wanted.cost.sumOfQuartiles);
        expect(got.totals.durationMs).toEqual(wanted.duration.longestPath);
      }
    }),
    { numRuns: 500 },
  );
});

test('the critical path explains the duration and follows needs', () => {
  fc.assert(
    fc.property(arbitraryNodes, histories, (nodes, past) => {
      const { criticalPath, duration, nodes: estimates } = estimate(nodes, past, { draws: 0 });
      const p75 = new Map(estimates.map((node) => [node.key, node.durationMs?.p75 ?? 0]));
      const needs = new Map(nodes.map((node) => [node.key, node.needs]));
      if (duration.longestPath === null) return expect(criticalPath).toEqual([]);
      expect(criticalPath.reduce((sum, key) => sum + p75.get(key)!, 0)).toBe(duration.longestPath.p75);
      criticalPath.slice(1).forEach((key, i) => {
        expect(needs.get(key)).toContain(criticalPath[i]!);
      });
      return undefined;
    }),
    { numRuns: 1000 },
  );
});

test('what is not known is null and makes totals a lower bound', () => {
  const nodes = [
    { key: 'a', role: 'known', needs: [] },
    { key: 'b', role: 'costless', needs: ['a'] },
    { key: 'c', role: 'new', needs: ['b'] },
    { key: 'd', role: null, needs: [] },
  ];
  const past = {
    known: { costMicros: [10], durationMs: [5] },
    costless: { costMicros: [], durationMs: [7, 7] },
  };
  const result = estimate(nodes, past);
  expect(result).toMatchObject({
    ...{ knownNodes: 2, unknownNodes: 2, criticalPath: ['a', 'b'] },
    cost: { sumOfQuartiles: { p25: 10, p75: 10 }, simulated: { p25: 10, p75: 10 }, atLeast: true },
    duration: { longestPath: { p25: 12, p75: 12 }, simulated: { p25: 12, p75: 12 }, atLeast: true },
  });
  expect(result.nodes[1]).toEqual({
    key: 'b',
    sampleSize: 2,
    costMicros: null,
    durationMs: { p25: 7, p75: 7 },
  });
  expect(result.nodes[2]).toEqual({ key: 'c', sampleSize: 0, costMicros: null, durationMs: null });
  const nothing = estimate(nodes, {});
  expect(nothing.cost).toEqual({ sumOfQuartiles: null, simulated: null, atLeast: true });
  expect(nothing.duration).toEqual({ longestPath: null, simulated: null, atLeast: true });
  expect(estimate([], {})).toMatchObject({
    nodes: [],
    knownNodes: 0,
    cost: { sumOfQuartiles: null, atLeast: false },
  });
});

test('the same seed gives the same ranges, another seed others', () => {
  const nodes = [{ key: 'a', role: 'r', needs: [] }];
  const past = { r: { costMicros: Array.from({ length: 1000 }, (_, i) => i * i), durationMs: [1] } };
  const run = (seed: number) => estimate(nodes, past, { draws: 10, seed }).cost.simulated;
  expect(run(7)).toEqual(run(7));
  expect(run(7)).not.toEqual(run(8));
});

test('names a cycle with its whole path and a sample with its place', () => {
  const circle = ['a', 'b', 'c'].map((key, i) => ({ key, role: 'r', needs: [['b'], ['c'], ['a']][i]! }));
  expect(coreError(() => estimate(circle, {}))).toMatchObject({ code: 'CYCLE', detail: 'a → b → c → a' });
  const node = [{ key: 'a', role: 'r', needs: [] }];
  for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 43]) {
    const costs = {
      q: { costMicros: [1, 2], durationMs: [1] },
      r: { costMicros: [1, bad], durationMs: [1] },
    };
    const error = coreError(() => estimate([...node, { key: 'b', role: 'q', needs: [] }], costs));
    expect(error).toMatchObject({ code: 'BAD_SAMPLE', detail: `histories.r.costMicros[1]: ${bad}` });
    const durations = { r: { costMicros: [1], durationMs: [bad] } };
    expect(coreError(() => estimate(node, durations)).detail).toBe(`histories.r.durationMs[0]: ${bad}`);
  }
});

test('refuses keys, needs and options that it cannot take', () => {
  const node = (key: string, needs: string[] = []): EstimateNode => ({ key, role: null, needs });
  expect(coreError(() => estimate([node('a'), node('a')], {})).detail).toContain('nodes[1].key');
  expect(coreError(() => estimate([node('a', ['x'])], {})).detail).toContain('nodes[0].needs[0]');
  for (const options of [{ draws: -1 }, { draws: 1.5 }, { draws: 1e9 }, { seed: -1 }, { seed: 2 ** 32 }])
    expect(coreError(() => estimate([node('a')], {}, options)).code).toBe('BAD_ARGUMENT');
  expect(coreError(() => loadGraph([node('a')]).setRole('b', null)).code).toBe('BAD_ARGUMENT');
});

test('the nodes of a proposal are the steps in which an agent works, in the order of its pipeline', () => {
  const { proposal } = new Generator(3).plan(20);
  const nodes = estimateNodes(proposal);
  expect(nodes.every((node) => node.role !== null)).toBe(true);
  expect(nodes.at(-1)?.key).toBe('synthesis');
  expect(nodes.at(-1)?.needs.toSorted()).toEqual(
    proposal.tickets.map(({ key }) => `ticket/${key}`).toSorted(),
  );
  const seen = new Set<string>();
  for (const { key, needs } of nodes) {
    expect(needs.every((need) => seen.has(need))).toBe(true);
    seen.add(key);
  }
});
