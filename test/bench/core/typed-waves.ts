import type { GraphNode } from '../../../core-wasm/core.ts';

/** Each key's wave with typed arrays: indices, counts of open needs, lists of dependants in one array. */
export function typedWaves(nodes: readonly GraphNode[]): Map<string, number> {
  const n = nodes.length;
  const at = new Map<string, number>();
  for (let v = 0; v < n; v++) at.set(nodes[v]!.key, v);
  const open = new Int32Array(n);
  const off = new Int32Array(n + 1);
  for (let v = 0; v < n; v++) {
    open[v] = nodes[v]!.needs.length;
    for (const need of nodes[v]!.needs) off[at.get(need)! + 1]!++;
  }
  for (let v = 0; v < n; v++) off[v + 1]! += off[v]!;
  const dependants = new Int32Array(off[n]!);
  const fill = off.slice();
  for (let v = 0; v < n; v++) for (const need of nodes[v]!.needs) dependants[fill[at.get(need)!]!++] = v;
  const wave = new Int32Array(n);
  const queue = new Int32Array(n);
  let tail = 0;
  for (let v = 0; v < n; v++) if (open[v] === 0) queue[tail++] = v;
  for (let i = 0; i < tail; i++) {
    const v = queue[i]!;
    for (let j = off[v]!; j < off[v + 1]!; j++) {
      const dependant = dependants[j]!;
      wave[dependant] = Math.max(wave[dependant]!, wave[v]! + 1);
      if (--open[dependant]! === 0) queue[tail++] = dependant;
    }
  }
  return new Map(nodes.map(({ key }, v) => [key, wave[v]!]));
}
