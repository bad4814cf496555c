import type { Estimate, EstimateNode, NodeEstimate, Range, RoleHistory } from '../core.ts';
import { ReferenceRandom } from './random.ts';

type Histories = Readonly<Record<string, RoleHistory>>;

/** Type 7 quantile of values in any order. */
function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  const fraction = at - low;
  return fraction === 0 ? sorted[low]! : sorted[low]! + fraction * (sorted[low + 1]! - sorted[low]!);
}

const quartiles = (values: readonly number[]): Range | null =>
  values.length === 0 ? null : { p25: quantile(values, 0.25), p75: quantile(values, 0.75) };

/** Nodes so that each comes after all it needs. Throws when there is a cycle. */
function topological(nodes: readonly EstimateNode[]): EstimateNode[] {
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const dependants = new Map<string, string[]>();
  const open = new Map<string, number>();
  for (const { key, needs } of nodes) {
    open.set(key, needs.length);
    for (const need of needs) {
      const list = dependants.get(need);
      if (list) list.push(key);
      else dependants.set(need, [key]);
    }
  }
  const order = nodes.filter(({ needs }) => needs.length === 0);
  for (let i = 0; i < order.length; i++) {
    for (const key of dependants.get(order[i]!.key) ?? []) {
      const left = open.get(key)! - 1;
      open.set(key, left);
      if (left === 0) order.push(byKey.get(key)!);
    }
  }
  if (order.length !== nodes.length) throw new Error('cycle');
  return order;
}

/** When each node ends, if each takes what `durations` says (0 when it does not). */
function finishTimes(
  order: readonly EstimateNode[],
  durations: ReadonlyMap<string, number>,
): Map<string, number> {
  const finish = new Map<string, number>();
  for (const { key, needs } of order) {
    let start = 0;
    for (const need of needs) start = Math.max(start, finish.get(need)!);
    finish.set(key, start + (durations.get(key) ?? 0));
  }
  return finish;
}

function longest(finish: ReadonlyMap<string, number>): number {
  let most = 0;
  for (const time of finish.values()) if (time > most) most = time;
  return most;
}

/** The first of `keys` with the latest finish. */
function latest(keys: readonly string[], finish: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined;
  for (const key of keys) if (best === undefined || finish.get(key)! > finish.get(best)!) best = key;
  return best;
}

function criticalPath(nodes: readonly EstimateNode[], finish: ReadonlyMap<string, number>): string[] {
  const byKey = new Map(nodes.map((node, i) => [node.key, { node, i }]));
  const path: string[] = [];
  let key = latest(
    nodes.map((node) => node.key),
    finish,
  );
  while (key !== undefined) {
    path.push(key);
    const needs = [...byKey.get(key)!.node.needs].sort((a, b) => byKey.get(a)!.i - byKey.get(b)!.i);
    key = latest(needs, finish);
  }
  return path.reverse();
}

const historyOf = (histories: Histories, role: string | null): RoleHistory =>
  (role !== null && Object.hasOwn(histories, role) && histories[role]) || { costMicros: [], durationMs: [] };

function simulate(
  nodes: readonly EstimateNode[],
  order: readonly EstimateNode[],
  histories: Histories,
  draws: number,
  seed: number,
): { costs: number[]; durations: number[] } {
  const random = new ReferenceRandom(seed);
  const pick = (samples: readonly number[]): number =>
    samples.length === 0 ? 0 : samples[random.below(samples.length)]!;
  const costs: number[] = [];
  const durations: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    let cost = 0;
    const drawn = new Map<string, number>();
    for (const { key, role } of nodes) {
      const history = historyOf(histories, role);
      cost += pick(history.costMicros);
      drawn.set(key, pick(history.durationMs));
    }
    costs.push(cost);
    durations.push(longest(finishTimes(order, drawn)));
  }
  return { costs, durations };
}

function nodeEstimates(nodes: readonly EstimateNode[], histories: Histories): NodeEstimate[] {
  const known = new Map<string | null, Omit<NodeEstimate, 'key'>>();
  return nodes.map(({ key, role }) => {
    let facts = known.get(role);
    if (facts === undefined) {
      const { costMicros, durationMs } = historyOf(histories, role);
      const sampleSize = Math.max(costMicros.length, durationMs.length);
      facts = { sampleSize, costMicros: quartiles(costMicros), durationMs: quartiles(durationMs) };
      known.set(role, facts);
    }
    return { key, ...facts };
  });
}

/** The estimate in plain TypeScript with maps: what the core must equal, number for number. */
export function referenceEstimate(
  nodes: readonly EstimateNode[],
  histories: Histories,
  { draws, seed }: { draws: number; seed: number },
): Estimate {
  const estimates = nodeEstimates(nodes, histories);
  const order = topological(nodes);
  const low = new Map<string, number>();
  const high = new Map<string, number>();
  const cost = { p25: 0, p75: 0 };
  for (const { key, costMicros, durationMs } of estimates) {
    cost.p25 += costMicros?.p25 ?? 0;
    cost.p75 += costMicros?.p75 ?? 0;
    low.set(key, durationMs?.p25 ?? 0);
    high.set(key, durationMs?.p75 ?? 0);
  }
  const finish = finishTimes(order, high);
  const knownCosts = estimates.filter((node) => node.costMicros).length;
  const knownDurations = estimates.filter((node) => node.durationMs).length;
  const unknown = estimates.filter((node) => node.sampleSize === 0).length;
  const drawn = draws > 0 ? simulate(nodes, order, histories, draws, seed) : { costs: [], durations: [] };
  return {
    nodes: estimates,
    cost: {
      sumOfQuartiles: knownCosts > 0 ? cost : null,
      simulated: knownCosts > 0 ? quartiles(drawn.costs) : null,
      atLeast: knownCosts < nodes.length,
    },
    duration: {
      longestPath:
        knownDurations > 0 ? { p25: longest(finishTimes(order, low)), p75: longest(finish) } : null,
      simulated: knownDurations > 0 ? quartiles(drawn.durations) : null,
      atLeast: knownDurations < nodes.length,
    },
    ...{ knownNodes: nodes.length - unknown, unknownNodes: unknown },
    criticalPath: knownDurations > 0 ? criticalPath(nodes, finish) : [],
    ...{ draws, seed },
  };
}
