import fc from 'fast-check';
import type { PlanNode } from '../plan-view.ts';

/** A ticket by its key and needs; what the graph does not look at is the same for all. */
export function ticket(key: string, needs: readonly string[] = [], rest: Partial<PlanNode> = {}): PlanNode {
  return {
    ...{ key, kind: 'ticket' as const, title: key, role: 'coder', roleTitle: 'Coder', needs },
    ...{ isReadOnly: false, estimate: null, status: null, isDeferred: false },
    ...rest,
  };
}

/** Plans without cycles: every node needs only nodes before it, and the list is in any order. */
export const planArbitrary = (most = 24): fc.Arbitrary<PlanNode[]> =>
  fc
    .integer({ min: 1, max: most })
    .chain((size) =>
      fc.tuple(
        ...Array.from({ length: size }, (_, i) =>
          i === 0
            ? fc.constant<number[]>([])
            : fc.uniqueArray(fc.integer({ min: 0, max: i - 1 }), { maxLength: 4 }),
        ),
      ),
    )
    .map((needs) =>
      needs.map((those, i) =>
        ticket(
          `t${i}`,
          those.map((need) => `t${need}`),
        ),
      ),
    )
    .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length }));

/** A plan of any size with short and long dependencies, the same for the same size. */
export function largePlan(size: number, span = 40): PlanNode[] {
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: size }, (_, i) => {
    const count = i === 0 || random() < 0.1 ? 0 : 1 + Math.floor(random() * 2.5);
    const needs = Array.from({ length: count }, () => {
      const back = 1 + Math.floor(random() * Math.min(i, span));
      return `t${Math.max(0, i - back)}`;
    });
    return ticket(`t${i}`, [...new Set(needs)]);
  });
}

/** Diamonds in a row: 3 n + 1 nodes, 2 ** n ways from the first to the last. */
export function ladder(diamonds: number): PlanNode[] {
  const steps = Array.from({ length: diamonds }, (_, i) => [
    ticket(`a${i}`, [`j${i}`]),
    ticket(`b${i}`, [`j${i}`]),
    ticket(`j${i + 1}`, [`a${i}`, `b${i}`]),
  ]);
  return [ticket('j0'), ...steps.flat()];
}
