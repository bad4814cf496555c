import { expect, test } from 'bun:test';
import {
  type AxisResult,
  capabilityProfile,
  combineVerdict,
  type EstimateNode,
  estimate,
  MODES,
  materialize,
  orderGraph,
  pipelineJson,
  type Range,
  type RoleHistory,
  type ToolFacts,
  toolSurface,
  type Verdict,
  validateProposal,
} from './core.ts';
import { referenceCombine, referenceSurface } from './reference/decisions.ts';
import { referenceEstimate } from './reference/estimate.ts';
import { referenceMaterialize } from './reference/materialize.ts';

// Worked out by hand: what both the core and its reference must give, today and after every change.

const read = async <T>(name: string): Promise<T> =>
  Bun.file(`${import.meta.dir}/vectors/${name}.json`).json();

type Pair = [number, number] | null;
const range = (pair: Pair | undefined): Range | null => (pair ? { p25: pair[0], p75: pair[1] } : null);

test('orders of graphs', async () => {
  type Vector = { name: string; nodes: EstimateNode[]; ordering: ReturnType<typeof orderGraph> };
  for (const { nodes, ordering } of await read<Vector[]>('graph'))
    expect(orderGraph(nodes)).toEqual(ordering);
});

test('verdicts', async () => {
  type Vector = { base: Verdict; axes: [AxisResult['result'], boolean][]; verdict: Verdict };
  for (const { base, axes, verdict } of await read<Vector[]>('verdict')) {
    const results = axes.map(([result, gated], i) => ({ axis: `axis-${i}`, result, gated }));
    expect(combineVerdict(base, results)).toBe(verdict);
    expect(referenceCombine(base, results)).toBe(verdict);
  }
});

test('tool surfaces of the modes', async () => {
  const { tools, surfaces } = await read<{ tools: ToolFacts[]; surfaces: Record<string, string[]> }>(
    'surface',
  );
  for (const mode of MODES) {
    expect(toolSurface(capabilityProfile(mode), tools)).toEqual(surfaces[mode]!);
    expect(referenceSurface(capabilityProfile(mode), tools)).toEqual(surfaces[mode]!);
  }
});

interface EstimateVector {
  nodes: EstimateNode[];
  histories: Record<string, RoleHistory>;
  ranges: Record<string, [Pair, Pair]>;
  cost: Pair;
  duration: Pair;
  atLeast: boolean;
  criticalPath: string[];
}

test('estimates', async () => {
  for (const vector of await read<EstimateVector[]>('estimate')) {
    const { nodes, histories, atLeast } = vector;
    const options = { draws: 0, seed: 1 };
    for (const result of [
      estimate(nodes, histories, options),
      referenceEstimate(nodes, histories, options),
    ]) {
      expect(result.cost).toEqual({ sumOfQuartiles: range(vector.cost), simulated: null, atLeast });
      expect(result.duration).toEqual({ longestPath: range(vector.duration), simulated: null, atLeast });
      expect(result.criticalPath).toEqual(vector.criticalPath);
      expect(result.nodes.map(({ costMicros, durationMs }) => [costMicros, durationMs])).toEqual(
        nodes.map(({ role }) => vector.ranges[role!]!.map(range)),
      );
    }
  }
});

test('the bytes of a pipeline', async () => {
  const vector = await read<{ proposal: unknown; roles: { key: string; agentId: string }[]; json: string[] }>(
    'pipeline',
  );
  const checked = validateProposal(vector.proposal);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  expect(pipelineJson(materialize(checked.proposal, vector.roles))).toBe(vector.json.join(''));
  expect(pipelineJson(referenceMaterialize(checked.proposal, vector.roles))).toBe(vector.json.join(''));
});
