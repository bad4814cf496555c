import { type Actor, actorId, isPerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireOperator } from '../members/role.ts';
import { isAgent } from '../permission.ts';
import type { Space } from '../spaces/schema.ts';

/**
 * Guards what those who review may do: agents of the review's space, owners and operators, Control Center itself.
 * @throws Fault forbidden
 */
export async function requireParticipant(
  deps: SpacesDeps,
  space: Space,
  actor: Actor,
  what: string,
): Promise<void> {
  if (isPerson(actor)) return requireOperator(deps.control, actor, what);
  if (!isAgent(actor) || space.agents.includes(actorId(actor))) return;
  throw new Fault(
    'forbidden',
    `Only agents of the space ${JSON.stringify(space.name)} may ${what}. A person can add the agent to it.`,
    { actor, spaceId: space.id },
  );
}
