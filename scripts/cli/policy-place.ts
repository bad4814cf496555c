import { Fault } from '../../services/kit/fault.ts';
import type { Workspace } from '../../services/spaces/workspaces/schema.ts';
import type { Client } from './client/client.ts';
import { usageError } from './command-error.ts';
import { chosenWorkspaces, locate } from './locate.ts';

export interface PlaceOptions {
  workspace?: string;
  /** Id of a space. */
  space?: string;
  /** Name or id of an agent. */
  agent?: string;
}

/** Where a rule holds or a call is judged: a workspace, and in it perhaps a space, an agent, or both. */
export interface PolicyPlace {
  workspaceId: string;
  spaceId?: string;
  agentId?: string;
}

/** @throws Fault not_found; CommandError usage when the options leave open which workspace is meant */
export async function policyPlace(client: Client, options: PlaceOptions): Promise<PolicyPlace> {
  const { space, agent, workspace } = options;
  if (space === undefined) return agentPlace(client, workspace, agent);
  const { workspaceId } = await locate(client, workspace, 'space', space, (ws) => client.space(ws, space));
  return { ...(await agentPlace(client, workspaceId, agent)), spaceId: space };
}

async function agentPlace(
  client: Client,
  workspace: string | undefined,
  agent: string | undefined,
): Promise<PolicyPlace> {
  const candidates = await chosenWorkspaces(client, workspace);
  const places: PolicyPlace[] = [];
  for (const { id } of candidates) {
    if (agent === undefined) places.push({ workspaceId: id });
    else places.push(...(await agentsNamed(client, id, agent)));
  }
  const [place, other] = places;
  if (place && !other) return place;
  if (place) throw severalPlaces(places, candidates, workspace);
  if (agent === undefined)
    throw new Fault('not_found', 'There is no workspace yet. Make one with `cctl workspace create NAME`.');
  throw new Fault('not_found', `There is no agent ${JSON.stringify(agent)} in ${whereText(workspace)}.`);
}

function severalPlaces(
  places: readonly PolicyPlace[],
  candidates: readonly Workspace[],
  named: string | undefined,
) {
  const meant = candidates.filter(({ id }) => places.some(({ workspaceId }) => workspaceId === id));
  if (named === undefined) {
    const names = meant.map(({ name, id }) => `${name} (${id})`).join(', ');
    return usageError(`There are several workspaces to choose from: say which with --workspace: ${names}.`);
  }
  const ids = meant.map(({ id }) => id).join(', ');
  const message = `Several workspaces are named ${JSON.stringify(named)}: say which with --workspace ID (${ids}).`;
  return usageError(message);
}

function whereText(workspace: string | undefined): string {
  return workspace === undefined ? 'any workspace' : `the workspace ${workspace}`;
}

async function agentsNamed(client: Client, workspaceId: string, nameOrId: string): Promise<PolicyPlace[]> {
  const name = nameOrId.toLowerCase().replace(/^@/, '');
  const agents = await client.agents(workspaceId);
  return agents
    .filter((agent) => agent.id === nameOrId || agent.name.toLowerCase() === name)
    .map(({ id }) => ({ workspaceId, agentId: id }));
}
