import { type Actor, actorId, isPerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { unknownAgents } from '../agents/store.ts';
import { unknownMembers } from './store.ts';

/**
 * Checks that each actor is a member or an agent of the workspace.
 * @param pathOf the field's path of the actor at an index, for the error
 * @throws Fault not_found naming each unknown one
 */
export async function requireColleagues(
  control: Database,
  database: Database,
  actors: readonly Actor[],
  pathOf: (index: number) => string,
): Promise<void> {
  const ids = (people: boolean) => actors.filter((actor) => isPerson(actor) === people).map(actorId);
  const unknown = new Set([
    ...(await unknownMembers(control, ids(true))),
    ...(await unknownAgents(database, ids(false))),
  ]);
  const faults = actors.flatMap((actor, i) =>
    unknown.has(actorId(actor)) ? [{ path: pathOf(i), message: `${actor} is not in this workspace` }] : [],
  );
  if (faults.length === 0) return;
  const text = faults.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new Fault('not_found', `Nobody is known by these names: ${text}.`, { faults });
}
