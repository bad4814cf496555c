import { hasFaultCode } from '../../kit/fault.ts';
import type { Roster } from '../agents/roster.ts';
import type { Agent, NewAgent } from '../agents/schema.ts';
import { findAgentByName } from '../agents/store.ts';
import type { SpacesDeps } from '../deps.ts';
import { CHIEF, FIRST_STAFF } from './first-agents.ts';
import type { Workspace } from './schema.ts';
import { markReady } from './store.ts';

/**
 * Brings a workspace from any half-way state to ready: its database, its first agents, its state. Doing it again changes
 * nothing, except that the agents' files are written anew.
 */
export async function seedWorkspace(deps: SpacesDeps, roster: Roster, workspace: Workspace): Promise<void> {
  const database = await deps.databases.create(workspace.id);
  const hire = async (input: NewAgent): Promise<Agent> => {
    try {
      return await roster.hire(workspace.id, { ...input, key: `seed:${input.name}` }, 'service:spaces');
    } catch (error) {
      // A person was faster with the name; theirs stays.
      const present = hasFaultCode(error, 'conflict') ? await findAgentByName(database, input.name) : null;
      if (present) return present;
      throw error;
    }
  };
  const chief = await hire(CHIEF);
  for (const colleague of FIRST_STAFF) await hire({ ...colleague, reportsTo: chief.id });
  await roster.mend(workspace.id);
  await markReady(deps.control, database, workspace, deps.clock());
}
