import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { changeRow, differing } from '../compare-and-set.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireColleagues } from '../members/colleagues-exist.ts';
import { found } from '../not-found.ts';
import { isAgent } from '../permission.ts';
import { findProject } from '../projects/store.ts';
import { findSpace } from '../spaces/store.ts';
import type { NewTicket, Ticket, TicketChange } from './schema.ts';
import { findTicket, insertTicket, type TicketFields, updateTicket } from './store.ts';
import { AGENT_TRANSITIONS, mayAgentMove } from './ticket-status.ts';

/** @throws Fault not_found for an assignee, parent, space or project that is not in the workspace */
export async function createTicket(
  deps: SpacesDeps,
  database: Database,
  { key, ...input }: NewTicket,
  actor: Actor,
): Promise<Ticket> {
  await checkReferences(deps, database, input);
  if (input.parentId) found(await findTicket(database, input.parentId), 'ticket', input.parentId);
  if (input.spaceId) found(await findSpace(database, input.spaceId), 'space', input.spaceId);
  const nowMs = deps.clock();
  const ticket = { ...input, id: newId('tkt'), createdAt: nowMs, updatedAt: nowMs, version: 1 };
  return insertTicket(database, ticket, key ?? null, actor);
}

/**
 * A change to the present value writes nothing.
 * @throws Fault wrong_status (an agent's illegal move), not_found, conflict for a stale version
 */
export async function changeTicket(
  deps: SpacesDeps,
  database: Database,
  id: string,
  { version, ...patch }: TicketChange,
  actor: Actor,
): Promise<Ticket> {
  await checkReferences(deps, database, patch);
  const read = async () => found(await findTicket(database, id), 'ticket', id);
  return changeRow(version, read, async (before) => {
    const fields = differing(before, patch) as TicketFields;
    if (Object.keys(fields).length === 0) return true;
    if (fields.status && isAgent(actor)) checkMove(before, fields.status);
    return updateTicket(database, before, fields, actor, deps.clock());
  });
}

function checkMove(ticket: Ticket, to: Ticket['status']): void {
  if (mayAgentMove(ticket.status, to)) return;
  const legal = AGENT_TRANSITIONS[ticket.status];
  throw new Fault(
    'wrong_status',
    `An agent may not move ticket ${ticket.number} from ${ticket.status} to ${to}. ${legal.length ? `From ${ticket.status} it may go to ${legal.join(', ')}` : `${ticket.status} is an end`}; a person may move it anywhere.`,
    { from: ticket.status, to, legal },
  );
}

async function checkReferences(
  deps: SpacesDeps,
  database: Database,
  { assignee, projectId }: Pick<TicketChange, 'assignee' | 'projectId'>,
): Promise<void> {
  if (assignee) await requireColleagues(deps.control, database, [assignee], () => 'assignee');
  if (projectId) found(await findProject(database, projectId), 'project', projectId);
}
