import { CoreError } from './errors.ts';
import { type Addresses, EstimateArena } from './estimate-arena.ts';
import { cycleError, type EstimateNode, type IndexedGraph, indexGraph } from './estimate-graph.ts';
import { type EstimateOptions, readOptions } from './estimate-options.ts';
import type { Estimate, EstimateTotals, NodeEstimate, Range } from './estimate-result.ts';
import { type Histories, packSamples, type Samples } from './estimate-samples.ts';
import { type Kernels, succeed, withKernels } from './instance.ts';

const range = (floats: Float64Array, at: number): Range => ({ p25: floats[at]!, p75: floats[at + 1]! });

type RowEstimate = Omit<NodeEstimate, 'key'>;

/** Reads the 64-byte rows that the quartile kernel wrote, one a role. */
function readRows(kernels: Kernels, rows: number, roles: number): RowEstimate[] {
  const ints = new Int32Array(kernels.memory.buffer);
  const floats = new Float64Array(kernels.memory.buffer);
  return Array.from({ length: roles }, (_, r) => {
    const row = rows + 64 * r;
    const costs = ints[(row + 48) >> 2]!;
    const durations = ints[(row + 52) >> 2]!;
    return {
      sampleSize: Math.max(costs, durations),
      costMicros: costs === 0 ? null : Object.freeze(range(floats, row >> 3)),
      durationMs: durations === 0 ? null : Object.freeze(range(floats, (row >> 3) + 2)),
    };
  });
}

/**
 * A graph that stays indexed, with its columns in the core's memory as long as nothing else uses it: a changed role costs
 * one write, an estimate one call.
 */
export class LoadedGraph {
  private readonly graph: IndexedGraph;
  private readonly arena = new EstimateArena();
  private histories: Histories = {};
  private samples: Samples;
  private rows: RowEstimate[] | null = null;
  private nodes: NodeEstimate[] | null = null;

  /** Throws BAD_ARGUMENT for a key used twice or a need that is no node. */
  constructor(nodes: readonly EstimateNode[], histories: Histories = {}) {
    this.graph = indexGraph(nodes);
    this.histories = histories;
    this.samples = packSamples(this.graph.roleNames, histories);
  }

  /** Takes the past runs of each role. Throws BAD_SAMPLE for what is no list of numbers. */
  setHistories(histories: Histories): this {
    this.samples = packSamples(this.graph.roleNames, histories);
    this.histories = histories;
    this.forgetRows();
    return this;
  }

  /** Gives a node another role. Throws BAD_ARGUMENT for a key that is no node. */
  setRole(key: string, role: string | null): this {
    const node = this.graph.indexOf.get(key);
    if (node === undefined) throw new CoreError('BAD_ARGUMENT', `no node "${key}"`);
    const row = this.rowOf(role);
    this.graph.role[node] = row;
    withKernels((kernels) => this.arena.writeRole(kernels, node, row));
    if (this.nodes && this.rows) this.nodes[node] = { key, ...this.rows[row]! };
    return this;
  }

  /** The quartile totals, without nodes, path and simulation. Throws CYCLE with the whole path, BAD_SAMPLE. */
  totals(): EstimateTotals {
    return this.run(0, (kernels, at) => this.readTotals(kernels, at));
  }

  /** Throws CYCLE with the whole path, BAD_SAMPLE with the sample's place, BAD_ARGUMENT for an option out of range. */
  estimate(options: EstimateOptions = {}): Estimate {
    const { draws, seed } = readOptions(options, this.graph.keys.length);
    return this.run(draws, (kernels, at) => {
      const totals = this.readTotals(kernels, at);
      const known = this.graph.keys.length - totals.unknownNodes;
      const simulated = known > 0 && draws > 0 ? this.simulate(kernels, at, draws, seed) : null;
      const { costMicros, durationMs } = totals;
      const simulatedCost = costMicros && simulated ? simulated.cost : null;
      const simulatedDuration = durationMs && simulated ? simulated.duration : null;
      return {
        nodes: this.nodeEstimates(kernels, at),
        cost: { sumOfQuartiles: costMicros, simulated: simulatedCost, atLeast: totals.unknownCosts > 0 },
        duration: {
          longestPath: durationMs,
          simulated: simulatedDuration,
          atLeast: totals.unknownDurations > 0,
        },
        ...{ knownNodes: known, unknownNodes: totals.unknownNodes },
        criticalPath: durationMs ? this.criticalPath(kernels, at) : [],
        ...{ draws, seed },
      };
    });
  }

  private rowOf(role: string | null): number {
    const row = this.graph.roleNames.indexOf(role);
    if (row >= 0) return row;
    this.samples = packSamples([...this.graph.roleNames, role], this.histories);
    this.forgetRows();
    return this.graph.roleNames.push(role) - 1;
  }

  private forgetRows(): void {
    this.rows = null;
    this.nodes = null;
    this.arena.invalidate();
  }

  private run<T>(draws: number, read: (kernels: Kernels, at: Addresses) => T): T {
    const { graph, samples } = this;
    try {
      return withKernels((kernels) => {
        const at = this.arena.ready(kernels, graph, samples, draws);
        const columns = [at.role, at.needOff, at.need, at.rows, at.out, at.order, at.fin, at.stack] as const;
        succeed(
          kernels,
          kernels.estimate(graph.keys.length, graph.need.length, graph.roleNames.length, ...columns),
        );
        return read(kernels, at);
      });
    } catch (error) {
      throw error instanceof CoreError && error.code === 'CYCLE' ? cycleError(graph) : error;
    }
  }

  private readTotals(kernels: Kernels, at: Addresses): EstimateTotals {
    const floats = new Float64Array(kernels.memory.buffer, at.out, 4);
    const [unknownCosts, unknownDurations, unknownNodes] = new Int32Array(
      kernels.memory.buffer,
      at.out + 32,
      3,
    );
    const n = this.graph.keys.length;
    return {
      costMicros: unknownCosts === n ? null : range(floats, 0),
      durationMs: unknownDurations === n ? null : range(floats, 2),
      unknownCosts: unknownCosts!,
      unknownDurations: unknownDurations!,
      unknownNodes: unknownNodes!,
    };
  }

  private nodeEstimates(kernels: Kernels, at: Addresses): NodeEstimate[] {
    const { keys, role, roleNames } = this.graph;
    this.rows ??= readRows(kernels, at.rows, roleNames.length);
    const rows = this.rows;
    this.nodes ??= keys.map((key, i) => {
      const { sampleSize, costMicros, durationMs } = rows[role[i]!]!;
      return { key, sampleSize, costMicros, durationMs };
    });
    return this.nodes.slice();
  }

  private criticalPath(kernels: Kernels, at: Addresses): string[] {
    const { keys, need } = this.graph;
    // The stack is free once the estimate is done.
    const length = succeed(
      kernels,
      kernels.path(keys.length, need.length, at.needOff, at.need, at.fin, 1, at.stack),
    );
    return Array.from(
      new Int32Array(kernels.memory.buffer, at.stack, length).reverse(),
      (node) => keys[node]!,
    );
  }

  private simulate(
    kernels: Kernels,
    at: Addresses,
    draws: number,
    seed: number,
  ): { cost: Range; duration: Range } {
    const { keys, need, roleNames } = this.graph;
    const ordered = new Int32Array(kernels.memory.buffer)[(at.out + 48) >> 2] === keys.length ? 1 : 0;
    const graph = [
      keys.length,
      need.length,
      roleNames.length,
      at.role,
      at.needOff,
      at.need,
      ordered,
      at.order,
    ];
    const { costMicros, durationMs } = this.samples;
    const costs = [at.costOff, costMicros.values.length, at.cost];
    const durations = [at.durOff, durationMs.values.length, at.dur];
    // The pass's totals have been read and its stack is free: both are written over.
    const work = [draws, seed, at.stack, at.totals, at.out];
    succeed(kernels, kernels.simulate(...graph, ...costs, ...durations, ...work));
    const floats = new Float64Array(kernels.memory.buffer, at.out, 4);
    return { cost: range(floats, 0), duration: range(floats, 2) };
  }
}
