import type { IndexedGraph } from './estimate-graph.ts';
import { namePosition, type Samples } from './estimate-samples.ts';
import { holdsArena, type Kernels, succeed, takeArena } from './instance.ts';
import { Layout } from './layout.ts';

const OUT_BYTES = 64;

function layOut({ keys, need, roleNames }: IndexedGraph, samples: Samples, draws: number) {
  const layout = new Layout();
  const n = keys.length;
  const roles = roleNames.length;
  return {
    rows: layout.take(roles, 64),
    costOff: layout.take(roles + 1, 4),
    durOff: layout.take(roles + 1, 4),
    cost: layout.take(samples.costMicros.values.length, 8),
    dur: layout.take(samples.durationMs.values.length, 8),
    scratch: layout.take(samples.longest, 8),
    role: layout.take(n, 4),
    needOff: layout.take(n + 1, 4),
    need: layout.take(need.length, 4),
    out: layout.take(OUT_BYTES, 1),
    order: layout.take(n, 4),
    fin: layout.take(n, 16),
    // The search's stack; free again when the simulation keeps its finish times there.
    stack: layout.take(n, 8),
    totals: layout.take(draws, 16),
    bytes: layout.bytes,
  };
}

/** Byte addresses of an estimate's columns. */
export type Addresses = ReturnType<typeof layOut>;

/**
 * The columns of one loaded graph in the shared arena. They are written again only when they changed or when another call
 * has used the arena since.
 */
export class EstimateArena {
  private at: Addresses | null = null;
  private draws = 0;

  /** Makes the next use write all columns. */
  invalidate(): void {
    this.at = null;
  }

  /** Changes one node's role where the columns lie. */
  writeRole(kernels: Kernels, node: number, row: number): void {
    if (this.at === null || !holdsArena(this)) return;
    new Int32Array(kernels.memory.buffer)[(this.at.role >> 2) + node] = row;
  }

  /** Addresses of columns that are in place, with room for `draws` simulated totals. */
  ready(kernels: Kernels, graph: IndexedGraph, samples: Samples, draws: number): Addresses {
    if (this.at !== null && this.draws >= draws && holdsArena(this)) return this.at;
    this.at = null;
    const offsets = layOut(graph, samples, draws);
    const base = takeArena(kernels, offsets.bytes, this);
    const at = { ...offsets };
    for (const column of Object.keys(at) as (keyof Addresses)[]) if (column !== 'bytes') at[column] += base;
    fill(kernels, at, graph, samples);
    this.at = at;
    this.draws = draws;
    return at;
  }
}

function fill(kernels: Kernels, at: Addresses, graph: IndexedGraph, samples: Samples): void {
  const ints = new Int32Array(kernels.memory.buffer);
  const floats = new Float64Array(kernels.memory.buffer);
  ints.set(samples.costMicros.off, at.costOff >> 2);
  ints.set(samples.durationMs.off, at.durOff >> 2);
  floats.set(samples.costMicros.values, at.cost >> 3);
  floats.set(samples.durationMs.values, at.dur >> 3);
  ints.set(graph.role, at.role >> 2);
  ints.set(graph.needOff, at.needOff >> 2);
  ints.set(graph.need, at.need >> 2);
  const costs = [at.costOff, samples.costMicros.values.length, at.cost];
  const durations = [at.durOff, samples.durationMs.values.length, at.dur];
  const status = kernels.quartiles(graph.roleNames.length, ...costs, ...durations, at.rows, at.scratch);
  succeed(kernels, status, (detail) => namePosition(samples, graph.roleNames, detail));
}
