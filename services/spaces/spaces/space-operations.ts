import { type Actor, isPerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { unknownAgents } from '../agents/store.ts';
import { changeRow, differing } from '../compare-and-set.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireOperator } from '../members/role.ts';
import { found } from '../not-found.ts';
import { isService, refuseAgents } from '../permission.ts';
import type { NewSpace, Space, SpaceChange, SpaceRepository } from './schema.ts';
import { findSpace, findSpaceByKey, insertSpace, updateSpace } from './store.ts';

/**
 * Opens a room with its main conversation; each repository's path is stored as the host resolved it.
 * @throws Fault forbidden (agents, viewers; review mode for people), not_found (agents, parent), not_a_repository
 */
export async function createSpace(
  deps: SpacesDeps,
  workspaceId: string,
  { key, ...input }: NewSpace,
  actor: Actor,
): Promise<Space> {
  // A new room in another mode would be a way out of the mode the agent is held in.
  refuseAgents(actor, 'open a space');
  if (isPerson(actor)) await requireOperator(deps.control, actor, 'open a space');
  checkMode(input.mode, actor);
  const database = await deps.databases.open(workspaceId);
  const known = key === undefined ? null : await findSpaceByKey(database, key);
  if (known) return known;
  await requireAgents(database, input.agents);
  if (input.parentSpaceId)
    found(await findSpace(database, input.parentSpaceId), 'space', input.parentSpaceId);
  const repositories = await resolved(deps, workspaceId, input.repositories, actor);
  const ids = { id: newId('spc'), mainConversationId: newId('cnv') };
  const space = { ...input, ...ids, repositories, createdAt: deps.clock(), version: 1 };
  return insertSpace(database, space, key ?? null, actor);
}

/** @throws Fault forbidden (agents, viewers; review mode for people), not_found, conflict for a stale version */
export async function changeSpace(
  deps: SpacesDeps,
  database: Database,
  id: string,
  { version, ...patch }: SpaceChange,
  actor: Actor,
): Promise<Space> {
  refuseAgents(actor, "change a space or its mode; that is a person's decision");
  if (isPerson(actor)) await requireOperator(deps.control, actor, 'change a space');
  if (patch.agents) await requireAgents(database, patch.agents);
  const read = async () => found(await findSpace(database, id), 'space', id);
  return changeRow(version, read, async (before) => {
    const { mode, name, agents, autonomy, whenNobody } = differing(before, patch);
    const changes = {
      ...{ ...(mode && { mode }), ...(name && { name }), ...(agents && { agents }) },
      ...{ ...(autonomy && { autonomy }), ...(whenNobody && { whenNobody }) },
    };
    if (Object.keys(changes).length === 0) return true;
    if (mode) checkMode(mode, actor);
    return updateSpace(database, before, changes, actor, deps.clock());
  });
}

function checkMode(mode: Space['mode'], actor: Actor): void {
  if (mode !== 'review' || isService(actor)) return;
  throw new Fault(
    'forbidden',
    'Review mode is set by Control Center when a pull request is opened for review.',
    {
      faults: [{ path: 'mode', message: 'review cannot be chosen by hand' }],
    },
  );
}

async function requireAgents(database: Database, ids: readonly string[]): Promise<void> {
  const unknown = await unknownAgents(database, ids);
  if (unknown.length === 0) return;
  const faults = unknown.map((id) => ({
    path: `agents[${ids.indexOf(id)}]`,
    message: `${id} is no agent of this workspace`,
  }));
  throw new Fault('not_found', `The space names agents that do not exist here: ${unknown.join(', ')}.`, {
    faults,
  });
}

function resolved(
  deps: SpacesDeps,
  workspaceId: string,
  repositories: readonly SpaceRepository[],
  actor: Actor,
): Promise<SpaceRepository[]> {
  return Promise.all(
    repositories.map(async ({ name, path }) => {
      const repository = await deps.inspectRepository(workspaceId, path, actor);
      return { name, path: repository.path };
    }),
  );
}
