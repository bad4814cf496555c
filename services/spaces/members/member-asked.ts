import { type Actor, actorId, requirePerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { knownMember } from './member-operations.ts';
import { requireOwner } from './role.ts';
import { findMember } from './store.ts';

/**
 * The id of the member somebody asks about: themselves, or for an owner anybody.
 * @throws Fault people_only, forbidden, not_found
 */
export async function memberAsked(
  control: Database,
  memberId: string | undefined,
  actor: Actor,
  what: string,
): Promise<string> {
  requirePerson(actor, what);
  if (memberId === undefined || memberId === actorId(actor)) return actorId(actor);
  await requireOwner(control, actor, `${what} of another`);
  return knownMember(await findMember(control, memberId), memberId).id;
}
