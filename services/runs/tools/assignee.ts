import type { Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { SpacesPort, TicketFacts } from '../peers/spaces-port.ts';

/** The actor of the agent of that name. @throws Fault invalid_request when there is none */
export async function assigneeOf(
  spaces: SpacesPort,
  workspaceId: string,
  name: string | undefined,
): Promise<Actor | undefined> {
  if (name === undefined) return undefined;
  const agents = await spaces.agents(workspaceId);
  const agent = agents.find((known) => known.name.toLowerCase() === name.toLowerCase());
  if (agent) return `agent:${agent.id}`;
  const names = agents.map((known) => known.name).join(', ');
  throw new Fault('invalid_request', `There is no agent ${JSON.stringify(name)}. The agents are: ${names}.`);
}

/** What an assignment has set going, for the agent that made it. */
export function startedText({ assignee }: Pick<TicketFacts, 'assignee'>, self: Actor): string {
  if (assignee === null) return '';
  if (assignee === self) return ' It is yours: no run is started for it, so do it in this one.';
  return ' Its assignee is started on it, and you are told of the result when it ends.';
}
