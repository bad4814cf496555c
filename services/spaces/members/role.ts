import { type Actor, actorId, isPerson, requirePerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { findMember } from './store.ts';

/** Whether the actor is a person who decides: an owner or an operator, neither a viewer nor somebody unknown. */
export async function isOperator(control: Database, actor: Actor): Promise<boolean> {
  if (!isPerson(actor)) return false;
  const member = await findMember(control, actorId(actor));
  return member?.role === 'owner' || member?.role === 'operator';
}

/**
 * Guards what owners and operators decide.
 * @throws Fault people_only, forbidden
 */
export async function requireOperator(control: Database, actor: Actor, what: string): Promise<void> {
  requirePerson(actor, what);
  if (await isOperator(control, actor)) return;
  throw new Fault('forbidden', `Only an owner or an operator may ${what}. Ask one of them.`, { actor });
}

export async function isOwner(control: Database, actor: Actor): Promise<boolean> {
  return isPerson(actor) && (await findMember(control, actorId(actor)))?.role === 'owner';
}

/**
 * Guards what owners alone do.
 * @throws Fault people_only, forbidden
 */
export async function requireOwner(control: Database, actor: Actor, what: string): Promise<void> {
  requirePerson(actor, what);
  if (await isOwner(control, actor)) return;
  throw new Fault('forbidden', `Only an owner may ${what}. Ask one of them.`, { actor });
}
