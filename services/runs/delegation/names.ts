import type { RunsDeps } from '../deps.ts';

/** Names of agents by actor; of anybody else the actor itself. */
export async function namesOf(deps: RunsDeps, workspaceId: string): Promise<(actor: string) => string> {
  const agents = await deps.spaces.agents(workspaceId);
  const names = new Map(agents.map(({ id, name }) => [`agent:${id}`, name]));
  return (actor) => names.get(actor) ?? actor;
}
