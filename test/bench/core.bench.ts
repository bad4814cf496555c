import {
  type Estimate,
  estimate,
  loadGraph,
  materialize,
  orderGraph,
  pipelineJson,
} from '../../core-wasm/core.ts';
import { referenceEstimate } from '../../core-wasm/reference/estimate.ts';
import { referenceMaterialize } from '../../core-wasm/reference/materialize.ts';
import { chromiumProgram } from '../runtimes/binaries.ts';
import { runPage } from '../runtimes/drivers.ts';
import { buildGraph, estimateGraph } from './core/graphology-estimate.ts';
import { graphologyOrder, graphologyWaves } from './core/graphology-order.ts';
import type { PageFigures } from './core/on-page.ts';
import { benchPlan, benchProposal } from './core/plans.ts';
import { typedEstimate, typedGraph, typedPass, typedRows } from './core/typed-estimate.ts';
import { typedWaves } from './core/typed-waves.ts';
import { type Contender, demandEqual, type Paired, type PairedOptions, pairedRatios } from './ratio.ts';

export interface BenchRow {
  name: string;
  /** How many times longer the contender takes than the core, or what `unit` says. */
  ratio: number;
  p10: number;
  p90: number;
  /** The ratio that must be reached; null where nothing is promised. */
  floor: number | null;
  unit: string;
  detail?: string;
}

type Floors = Record<string, number | undefined>;

const SIZES = [10, 100, 1000, 10_000, 100_000];
const QUANTILES = { draws: 0, seed: 0 };

const OBJECT_FLOORS: Record<number, Floors> = {
  10: { 'typed arrays': undefined },
  100: { 'typed arrays': 0.8 },
  1000: { 'typed arrays': 0.8, Map: 3, graphology: 6 },
  10000: { 'typed arrays': 0.8, graphology: 9 },
};

/** Fewer and shorter rounds where one run takes long. */
function effort(n: number): PairedOptions {
  if (n >= 100_000) return { rounds: 3, roundMicros: 1 };
  return n >= 10_000 ? { rounds: 13, roundMicros: 4000 } : { rounds: 21, roundMicros: 6000 };
}

function toRows(what: string, n: number, paired: readonly Paired[], floors: Floors = {}): BenchRow[] {
  return paired.map(({ name, ratio, p10, p90, micros }) => ({
    ...{ name: `${what}, ${n} nodes, against ${name}`, ratio, p10, p90, floor: floors[name] ?? null },
    ...{ unit: '× the core’s CPU time', detail: `${name} ${micros.toFixed(1)} µs` },
  }));
}

function compare(what: string, n: number, core: Contender, others: Contender[], floors?: Floors): BenchRow[] {
  demandEqual(core, others, (a, b) => Bun.deepEquals(a, b, true));
  return toRows(what, n, pairedRatios(core, others, effort(n)), floors);
}

function fromObjects(n: number): BenchRow[] {
  const { nodes, histories } = benchPlan(n, true);
  const core = { name: 'core', run: () => estimate(nodes, histories, QUANTILES) };
  const others = [
    { name: 'typed arrays', run: () => typedEstimate(nodes, histories) },
    { name: 'Map', run: () => referenceEstimate(nodes, histories, QUANTILES) },
    { name: 'graphology', run: () => estimateGraph(buildGraph(nodes), histories) },
  ];
  return compare('estimate from objects', n, core, others, OBJECT_FLOORS[n]);
}

/** A live edit: one node's role changes, the whole estimate is wanted again. */
function liveEdit(n: number): BenchRow[] {
  const { nodes, histories } = benchPlan(n, false);
  const loaded = loadGraph(nodes).setHistories(histories);
  const graph = buildGraph(nodes);
  const [key, roles] = [nodes[n >> 1]!.key, ['role-0', 'role-1'] as const];
  // Each has its own turn, so that both work through the same roles.
  const turns = { core: 0, graphology: 0 };
  const core = (): Estimate => loaded.setRole(key, roles[turns.core++ % 2]!).estimate(QUANTILES);
  const prebuilt = (): Estimate => {
    graph.setNodeAttribute(key, 'role', roles[turns.graphology++ % 2]!);
    return estimateGraph(graph, histories);
  };
  const others = [{ name: 'graphology prebuilt', run: prebuilt }];
  return compare('live edit of a loaded graph', n, { name: 'core', run: core }, others, {
    'graphology prebuilt': n === 1000 ? 40 : undefined,
  });
}

/** Totals of a loaded graph: the pass alone, against the same pass over typed arrays. */
function loadedTotals(n: number): BenchRow[] {
  const { nodes, histories } = benchPlan(n, false);
  const loaded = loadGraph(nodes).setHistories(histories);
  const graph = typedGraph(nodes);
  const { values } = typedRows(graph.roleNames, histories);
  const [fin, out] = [new Float64Array(n * 2), new Float64Array(4)];
  const typed = () => {
    typedPass(graph, values, fin, out);
    const [costMicros, durationMs] = [0, 2].map((at) => ({ p25: out[at]!, p75: out[at + 1]! }));
    return { costMicros, durationMs, unknownCosts: 0, unknownDurations: 0, unknownNodes: 0 };
  };
  const core = { name: 'core', run: () => loaded.totals() };
  return compare('totals of a loaded graph', n, core, [{ name: 'typed arrays', run: typed }], {
    'typed arrays': n === 10_000 ? 1.3 : undefined,
  });
}

function materializing(n: number): BenchRow[] {
  const { proposal, roles } = benchProposal(n);
  const core = { name: 'core', run: () => pipelineJson(materialize(proposal, roles)) };
  const others = [
    { name: 'Map', run: () => pipelineJson(referenceMaterialize(proposal, roles)) },
    { name: 'typed arrays', run: () => pipelineJson(referenceMaterialize(proposal, roles, typedWaves)) },
    { name: 'graphology', run: () => pipelineJson(referenceMaterialize(proposal, roles, graphologyWaves)) },
  ];
  // The library takes seconds for a hundred thousand.
  return compare('materialize to bytes', n, core, n < 100_000 ? others : others.slice(0, 2));
}

function ordering(n: number): BenchRow[] {
  const { nodes } = benchPlan(n, true);
  const core = { name: 'core', run: () => orderGraph(nodes) };
  return compare('order a graph', n, core, [{ name: 'graphology', run: () => graphologyOrder(nodes) }]);
}

function simulation(): BenchRow[] {
  const { nodes, histories } = benchPlan(100, true);
  const options = { draws: 100, seed: 1 };
  const core = { name: 'core', run: () => estimate(nodes, histories, options) };
  const others = [{ name: 'Map', run: () => referenceEstimate(nodes, histories, options) }];
  return compare('100 simulated runs', 100, core, others);
}

const FRAME_MS = 16;
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** Figures that need V8 and a browser; none where there is no Chromium. */
async function inBrowser(): Promise<BenchRow[]> {
  const browser = chromiumProgram();
  if (browser === null) return [];
  const entry = new URL('./core/on-page.ts', import.meta.url).pathname;
  const { frameMs, typed } = (await runPage(browser, POLICY, entry)) as PageFigures;
  const frame = {
    ratio: FRAME_MS / frameMs.median,
    p10: FRAME_MS / frameMs.p90,
    p90: FRAME_MS / frameMs.p10,
  };
  return [
    {
      ...{
        name: 'totals of a loaded graph, 10000 nodes, against typed arrays, in Chromium',
        ...typed,
        floor: 2,
      },
      unit: '× the core’s time',
    },
    {
      ...{
        name: 'totals of a loaded graph, 100000 nodes, in Chromium',
        ...frame,
        floor: 1,
        unit: 'runs a 16 ms frame',
      },
      detail: `${frameMs.median.toFixed(2)} ms`,
    },
  ];
}

/** All figures of the core against plain TypeScript and against libraries. Takes about a minute. */
export async function coreBench(): Promise<BenchRow[]> {
  const rows = [fromObjects, liveEdit, loadedTotals, materializing].flatMap((suite) => SIZES.flatMap(suite));
  return [...rows, ...ordering(1000), ...ordering(10_000), ...simulation(), ...(await inBrowser())];
}

if (import.meta.main) {
  for (const { name, ratio, p10, p90, floor, unit, detail } of await coreBench()) {
    const mark = floor === null ? ' ' : ratio >= floor ? '✓' : '✗';
    const range = `${ratio.toFixed(2)} [${p10.toFixed(2)}–${p90.toFixed(2)}]`;
    console.log(
      `${mark} ${name}: ${range} ${unit}${floor === null ? '' : `, floor ${floor}`} (${detail ?? ''})`,
    );
  }
}
