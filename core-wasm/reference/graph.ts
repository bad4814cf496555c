import type { GraphNode } from '../core.ts';

/**
 * Waves by peeling: wave 0 needs nothing, each next wave needs only earlier ones. Null when a cycle keeps some node from
 * ever being peeled. Keys must be distinct and known.
 */
export function referenceWaves(nodes: readonly GraphNode[]): Map<string, number> | null {
  const dependants = new Map<string, string[]>(nodes.map(({ key }) => [key, []]));
  const open = new Map<string, number>();
  for (const { key, needs } of nodes) {
    open.set(key, needs.length);
    for (const need of needs) dependants.get(need)?.push(key);
  }
  const waves = new Map<string, number>();
  let ready = nodes.filter(({ needs }) => needs.length === 0).map(({ key }) => key);
  for (let wave = 0; ready.length > 0; wave++) {
    const next: string[] = [];
    for (const key of ready) {
      waves.set(key, wave);
      for (const dependant of dependants.get(key) ?? []) {
        const left = open.get(dependant)! - 1;
        open.set(dependant, left);
        if (left === 0) next.push(dependant);
      }
    }
    ready = next;
  }
  return waves.size === nodes.length ? waves : null;
}

/** Keys by wave, then with <. */
export const orderByWave = (waves: ReadonlyMap<string, number>): string[] =>
  [...waves.keys()].sort((a, b) => waves.get(a)! - waves.get(b)! || (a < b ? -1 : 1));

/** Keys by wave, then with <. Null for a cycle. */
export function referenceOrder(nodes: readonly GraphNode[]): string[] | null {
  const waves = referenceWaves(nodes);
  return waves && orderByWave(waves);
}
