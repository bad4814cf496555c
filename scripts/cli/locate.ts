import { Fault, hasFaultCode } from '../../services/kit/fault.ts';
import type { Workspace } from '../../services/spaces/workspaces/schema.ts';
import type { Client } from './client/client.ts';

export interface Located<T> {
  workspaceId: string;
  found: T;
}

/** The workspaces that a command is about: the one of the name or id given, else all. @throws Fault not_found */
export async function chosenWorkspaces(client: Client, nameOrId: string | undefined): Promise<Workspace[]> {
  const all = await client.workspaces();
  if (nameOrId === undefined) return all;
  const chosen = all.filter(({ id, name }) => id === nameOrId || name === nameOrId);
  if (chosen.length > 0) return chosen;
  const message = `There is no workspace ${JSON.stringify(nameOrId)}. List them with \`cctl workspace list\`.`;
  throw new Fault('not_found', message);
}

/** Finds what an id names in whichever workspace holds it. @throws Fault not_found */
export async function locate<T>(
  client: Client,
  nameOrId: string | undefined,
  noun: string,
  id: string,
  read: (workspaceId: string) => Promise<T>,
): Promise<Located<T>> {
  for (const workspace of await chosenWorkspaces(client, nameOrId)) {
    try {
      return { workspaceId: workspace.id, found: await read(workspace.id) };
    } catch (error) {
      if (!hasFaultCode(error, 'not_found')) throw error;
    }
  }
  const where = nameOrId === undefined ? 'any workspace' : `the workspace ${nameOrId}`;
  throw new Fault('not_found', `There is no ${noun} ${JSON.stringify(id)} in ${where}.`, { noun, id });
}

export function locateOrchestration(client: Client, nameOrId: string | undefined, id: string) {
  return locate(client, nameOrId, 'orchestration', id, (ws) => client.orchestration(ws, id));
}
