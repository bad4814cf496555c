import type { EstimateNode, Proposal, ResolvedRole, RoleHistory } from '../../../core-wasm/core.ts';
import { Generator } from '../../../core-wasm/reference/generate.ts';

export interface BenchPlan {
  nodes: EstimateNode[];
  histories: Record<string, RoleHistory>;
}

const SAMPLES = 50;

/** A graph with two needs a node on average; `shuffled` puts the nodes in an order that is not topological. */
export function benchPlan(n: number, shuffled: boolean): BenchPlan {
  const generator = new Generator(n);
  const roles = Math.min(64, Math.max(4, Math.round(Math.sqrt(n))));
  const nodes = Array.from({ length: n }, (_, i): EstimateNode => {
    const needs = new Set(
      Array.from({ length: i === 0 ? 0 : generator.below(5) }, () => `t${generator.below(i)}`),
    );
    return { key: `t${i}`, role: `role-${generator.below(roles)}`, needs: [...needs] };
  });
  const samples = (): number[] => Array.from({ length: SAMPLES }, () => generator.below(10_000_000));
  const histories = Array.from({ length: roles }, (_, i) => [
    `role-${i}`,
    { costMicros: samples(), durationMs: samples() },
  ]);
  return { nodes: shuffled ? generator.shuffled(nodes) : nodes, histories: Object.fromEntries(histories) };
}

/** The same graph as a proposal, for the materializer. */
export function benchProposal(n: number): { proposal: Proposal; roles: ResolvedRole[] } {
  const { nodes, histories } = benchPlan(n, true);
  const roles = Object.keys(histories).sort();
  const proposal: Proposal = {
    goal: 'Measure',
    roles: roles.map((key) => ({ key, title: key, agent: { existing: key } })),
    research: { role: roles[0]!, brief: 'Look around' },
    discussion: null,
    tickets: nodes.map(({ key, role, needs }) => ({
      ...{ key, title: `Ticket ${key}`, description: `Do ${key}`, role: role!, needs: [...needs] },
      ...{ outputSchema: null, references: [] },
    })),
    synthesis: { role: roles[0]!, brief: 'Sum up' },
    budgetMicros: 1_000_000,
  };
  return { proposal, roles: roles.map((key) => ({ key, agentId: `agent_${key}` })) };
}
