import * as z from 'zod';
import { Fault } from './fault.ts';

/** Who does something: a member, an agent, or a service acting on its own. */
export const Actor = z.string().regex(/^(person:mem|agent:agt|service)[_:][a-z0-9_-]{1,64}$/);
export type Actor = `person:${string}` | `agent:${string}` | `service:${string}`;

export const ACTOR_HEADER = 'x-control-center-actor';

export function parseActor(text: string | null | undefined): Actor {
  const parsed = Actor.safeParse(text);
  if (parsed.success) return parsed.data as Actor;
  throw new Fault(
    'unauthenticated',
    'The request carries no known actor. Send a personal token as `Authorization: Bearer …`.',
  );
}

export function isPerson(actor: Actor): boolean {
  return actor.startsWith('person:');
}

/** The member or agent id behind an actor. */
export function actorId(actor: Actor): string {
  return actor.slice(actor.indexOf(':') + 1);
}

/** Guards what only people may do (GUARD-6). */
export function requirePerson(actor: Actor, what: string): void {
  if (!isPerson(actor)) throw new Fault('people_only', `Only a person may ${what}.`, { actor });
}
