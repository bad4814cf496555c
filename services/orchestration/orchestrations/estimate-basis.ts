import type { Proposal, RoleHistory } from '../../../core-wasm/core.ts';
import type { Bench } from '../bench.ts';
import type { OrchestrationRow } from './schema.ts';

/** What an estimate is computed from, by key of the role. */
export interface EstimateBasis {
  /** The revision whose roles these are. */
  revision: number;
  /** Whole micro-dollars and milliseconds of the completed runs of each role's agent; none of a role without an agent yet. */
  histories: Record<string, RoleHistory>;
  /** Who has each role, null before it is hired, and how many completed runs are known of them. */
  roles: Record<string, { agentId: string | null; agentName: string | null; runs: number }>;
}

interface RoleAgent {
  key: string;
  agentId: string | null;
  agentName: string | null;
}

/** The very samples that the estimate of an orchestration is computed from, here and in a browser that edits it. */
export async function estimateBasis(
  bench: Bench,
  workspaceId: string,
  row: OrchestrationRow,
  proposal: Proposal,
): Promise<EstimateBasis> {
  const items = await bench.store.scaffoldItems(workspaceId, row.id);
  const roles = await roleAgents(bench, workspaceId, proposal, items);
  const agentIds = new Set(roles.flatMap(({ agentId }) => agentId ?? []));
  const byAgent = await bench.runs(workspaceId).histories([...agentIds]);
  const known = roles.flatMap(({ key, agentId }): [string, RoleHistory][] => {
    const history = agentId === null ? undefined : byAgent[agentId];
    return history ? [[key, { costMicros: history.costMicros, durationMs: history.durationMs }]] : [];
  });
  const histories = Object.fromEntries(known);
  const facts = roles.map(({ key, agentId, agentName }) => {
    const runs = Object.hasOwn(histories, key) ? (histories[key]?.durationMs.length ?? 0) : 0;
    return [key, { agentId, agentName, runs }] as const;
  });
  return {
    revision: row.approvedRevision ?? row.revision,
    histories,
    roles: Object.fromEntries(facts),
  };
}

/** The agent of each role: whoever was made or found at approval, else the existing one. A hire has none before it is made. */
async function roleAgents(
  bench: Bench,
  workspaceId: string,
  { roles }: Proposal,
  items: ReadonlyMap<string, string>,
): Promise<RoleAgent[]> {
  const agents = await bench.spaces(workspaceId).listAgents();
  const names = new Map(agents.map((agent) => [agent.id, agent.name]));
  const byName = new Map(agents.map((agent) => [agent.name.toLowerCase(), agent.id]));
  return roles.map(({ key, agent }) => {
    const present = 'existing' in agent ? byName.get(agent.existing.toLowerCase()) : undefined;
    const agentId = items.get(`role/${key}`) ?? present ?? null;
    return { key, agentId, agentName: agentId === null ? null : (names.get(agentId) ?? null) };
  });
}
