import type { Client } from './client/client.ts';

export interface AgentNames {
  /** The name, or undefined while it is not known. */
  of(agentId: string): string | undefined;
  /** Reads the workspace's agents when one of the ids is not among those known. */
  learn(workspaceId: string, agentIds: readonly string[]): void;
}

/** Names of agents by id. They only adorn what is shown: one that cannot be had now is asked for again later. */
export function createAgentNames(client: Pick<Client, 'agents'>): AgentNames {
  const names = new Map<string, string>();
  let learning: Promise<void> | null = null;
  return {
    of: (id) => names.get(id),
    learn(workspaceId, agentIds) {
      if (learning !== null || agentIds.every((id) => names.has(id))) return;
      learning = client
        .agents(workspaceId)
        .then(
          (agents) => agents.forEach((agent) => void names.set(agent.id, agent.name)),
          () => undefined,
        )
        .finally(() => {
          learning = null;
        });
    },
  };
}
