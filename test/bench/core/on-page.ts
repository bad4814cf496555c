import { loadGraph } from '../../../core-wasm/core.ts';
import { pairedRatios } from '../ratio.ts';
import { benchPlan } from './plans.ts';
import { typedGraph, typedPass, typedRows } from './typed-estimate.ts';

declare const document: { querySelector(selector: string): { textContent: string } | null };

export interface PageFigures {
  /** Milliseconds for the totals of a loaded graph of 100,000 nodes. */
  frameMs: { median: number; p10: number; p90: number };
  /** Time of typed arrays over the core's, 10,000 nodes. */
  typed: { ratio: number; p10: number; p90: number };
}

const clock = (): number => performance.now() * 1000;

function frameMs(): PageFigures['frameMs'] {
  const { nodes, histories } = benchPlan(100_000, false);
  const loaded = loadGraph(nodes).setHistories(histories);
  loaded.totals();
  const times = Array.from({ length: 31 }, (_, i) => {
    const start = performance.now();
    loaded.setRole('t0', `role-${i % 2}`).totals();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return { median: times[15]!, p10: times[3]!, p90: times[27]! };
}

function againstTyped(): PageFigures['typed'] {
  const n = 10_000;
  const { nodes, histories } = benchPlan(n, false);
  const loaded = loadGraph(nodes).setHistories(histories);
  const graph = typedGraph(nodes);
  const { values } = typedRows(graph.roleNames, histories);
  const [fin, out] = [new Float64Array(n * 2), new Float64Array(4)];
  const core = { name: 'core', run: () => loaded.totals() };
  const typed = { name: 'typed arrays', run: () => typedPass(graph, values, fin, out) };
  const [paired] = pairedRatios(core, [typed], { rounds: 21, roundMicros: 20_000, clock });
  const { ratio, p10, p90 } = paired!;
  return { ratio, p10, p90 };
}

const figures: PageFigures = { frameMs: frameMs(), typed: againstTyped() };
const output = document.querySelector('output');
if (output) output.textContent = JSON.stringify(figures);
