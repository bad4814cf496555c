import { type Actor, isPerson } from '../kit/actor.ts';
import { Fault } from '../kit/fault.ts';

export function isAgent(actor: Actor): boolean {
  return actor.startsWith('agent:');
}

export function isService(actor: Actor): boolean {
  return actor.startsWith('service:');
}

/** Guards what an agent may never do by itself, whatever its mode lets it call. */
export function refuseAgents(actor: Actor, what: string): void {
  if (isAgent(actor)) throw new Fault('forbidden', `An agent may not ${what}. Ask a person.`, { actor });
}

export function requireService(actor: Actor, what: string): void {
  if (!isService(actor)) throw new Fault('forbidden', `Only Control Center itself may ${what}.`, { actor });
}

/** New colleagues come from a person, or from an orchestration that a person approved. */
export function requireHiringActor(actor: Actor): void {
  if (isPerson(actor) || actor === 'service:orchestration') return;
  throw new Fault('forbidden', 'Only a person or an approved orchestration may hire or change agents.', {
    actor,
  });
}
