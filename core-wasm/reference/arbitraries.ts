import fc from 'fast-check';
import type { EstimateNode, GraphNode, RoleHistory } from '../core.ts';

/** Acyclic graphs whose nodes come in any order, with needs that may repeat. */
export const acyclicGraph: fc.Arbitrary<GraphNode[]> = fc
  .uniqueArray(fc.stringMatching(/^[a-z0-9]{1,4}$/), { maxLength: 40 })
  .chain((keys) =>
    fc
      .array(fc.array(fc.nat({ max: 1000 }), { maxLength: 5 }), {
        minLength: keys.length,
        maxLength: keys.length,
      })
      .map((picks) =>
        keys.map((key, i) => ({ key, needs: i === 0 ? [] : picks[i]!.map((pick) => keys[pick % i]!) })),
      ),
  )
  .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length, maxLength: nodes.length }));

/** Graphs of any shape, cycles and self-dependencies included. */
export const anyGraph: fc.Arbitrary<GraphNode[]> = fc
  .integer({ min: 0, max: 12 })
  .chain((n) =>
    fc
      .array(fc.array(fc.nat({ max: Math.max(0, n - 1) }), { maxLength: 3 }), { minLength: n, maxLength: n })
      .map((needs) => needs.map((row, i) => ({ key: `k${i}`, needs: row.map((need) => `k${need}`) }))),
  );

const samples = fc.array(fc.oneof(fc.nat({ max: 20 }), fc.integer({ min: 0, max: 2 ** 43 - 1 })), {
  maxLength: 30,
});

export const histories: fc.Arbitrary<Record<string, RoleHistory>> = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'constructor'),
  fc.record({ costMicros: samples, durationMs: samples }),
);

export const estimateNodes: fc.Arbitrary<EstimateNode[]> = acyclicGraph.chain((nodes) =>
  fc
    .array(fc.constantFrom('a', 'b', 'c', 'constructor', 'nobody', null), {
      minLength: nodes.length,
      maxLength: nodes.length,
    })
    .map((roles) => nodes.map((node, i) => ({ ...node, role: roles[i]! }))),
);
