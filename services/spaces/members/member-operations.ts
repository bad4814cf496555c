import { type Actor, actorId, requirePerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireOwner } from './role.ts';
import type { Member, MemberChange, NewMember } from './schema.ts';
import { findMember, findMemberByKey, insertMember, removeMember, updateMember } from './store.ts';

type Deps = Pick<SpacesDeps, 'control' | 'clock'>;

/** @throws Fault people_only, forbidden, conflict for a key that made somebody else */
export async function addMember(deps: Deps, input: NewMember, actor: Actor): Promise<Member> {
  await requireOwner(deps.control, actor, 'add a member');
  const { name, role, key = null } = input;
  const member = { id: newId('mem'), name, role, createdAt: deps.clock() };
  if (await insertMember(deps.control, member, key, actorId(actor))) return member;
  const made = key === null ? null : await findMemberByKey(deps.control, key);
  if (made === null) throw new Fault('forbidden', 'You are no owner any more. Ask one of them.', { actor });
  const { removedAt, ...present } = made;
  if (removedAt === null && made.name === name && made.role === role) return present;
  const what = removedAt === null ? 'another member' : 'a member who was removed since';
  throw new Fault('conflict', `The key ${JSON.stringify(key)} made ${what}. Take a new one.`, {
    memberId: made.id,
  });
}

/**
 * Members may change their own name, owners anything.
 * @throws Fault people_only, forbidden, not_found, conflict for the last owner who would be none
 */
export async function changeMember(
  deps: Deps,
  id: string,
  change: MemberChange,
  actor: Actor,
): Promise<Member> {
  requirePerson(actor, 'change a member');
  const isOwnName = actorId(actor) === id && change.role === undefined;
  const requireRight = async () => {
    if (!isOwnName)
      await requireOwner(deps.control, actor, 'change what members may do, or the name of another');
  };
  await requireRight();
  const isChanged = await updateMember(deps.control, id, change, isOwnName ? null : actorId(actor));
  const member = knownMember(await findMember(deps.control, id), id);
  if (isChanged) return member;
  // Another owner may have taken it away in the meantime.
  await requireRight();
  throw lastOwner(member);
}

/**
 * An owner removes anybody, and everybody may go by themselves. What lets them in ends with it; what they wrote, decided and
 * started stays theirs and goes on.
 * @throws Fault people_only, forbidden, not_found, conflict for the last owner
 */
export async function endMembership(
  deps: Pick<SpacesDeps, 'control' | 'clock' | 'log'>,
  id: string,
  actor: Actor,
): Promise<void> {
  requirePerson(actor, 'remove a member');
  const isThemselves = actorId(actor) === id;
  const requireRight = async () => {
    if (!isThemselves) await requireOwner(deps.control, actor, 'remove another member');
  };
  await requireRight();
  if (await removeMember(deps.control, id, deps.clock(), isThemselves ? null : actorId(actor))) {
    deps.log.info({ memberId: id, by: actor }, 'a member is removed');
    return;
  }
  const member = knownMember(await findMember(deps.control, id), id);
  await requireRight();
  throw lastOwner(member);
}

function lastOwner({ id, name }: Member): Fault {
  return new Fault(
    'conflict',
    `${name} is the last owner, and somebody has to be one. Make another member an owner first.`,
    { memberId: id },
  );
}

/** @throws Fault not_found */
export function knownMember(member: Member | null, id: string): Member {
  if (member) return member;
  const message = `There is no member ${JSON.stringify(id)}. List them with \`cctl members\`.`;
  throw new Fault('not_found', message, { id });
}
