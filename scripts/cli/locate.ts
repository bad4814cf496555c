import { Fault, hasFaultCode } from '../../services/kit/fault.ts';
import type { Workspace } from '../../services/spaces/workspaces/schema.ts';
import type { Client } from './client/client.ts';

type Noun = 'approval' | 'orchestration' | 'plan' | 'review' | 'run' | 'space' | 'ticket';

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
  noun: Noun,
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
  const message = `There is no ${nounText(noun)} ${JSON.stringify(id)} in ${where}. ${mendOf(noun, id)}`;
  throw new Fault('not_found', message, { noun, id });
}

/** The command that names the ids there are. */
const LISTED_BY: Readonly<Record<Noun, string>> = {
  approval: 'inbox',
  orchestration: 'orchestrations',
  plan: 'plans',
  review: 'review list',
  run: 'runs',
  space: 'space list',
  ticket: 'tickets',
};

/** Plans are orchestrations to whoever decides or follows them. */
function nounText(noun: Noun): string {
  return noun === 'orchestration' ? 'orchestration or plan' : noun;
}

/** What begins like another noun's id was most likely given to the wrong command. */
function mendOf(noun: Noun, id: string): string {
  if (noun !== 'approval' && id.startsWith('apr_')) return 'That is an approval: `cctl decide` decides it.';
  if (noun === 'approval' && id.startsWith('orc_'))
    return 'That is a proposal or a plan: `cctl approve`, `request-changes` or `reject` decides it.';
  return `List them with \`cctl ${LISTED_BY[noun]}\`.`;
}

export function locateOrchestration(client: Client, nameOrId: string | undefined, id: string) {
  return locate(client, nameOrId, 'orchestration', id, (ws) => client.orchestration(ws, id));
}
