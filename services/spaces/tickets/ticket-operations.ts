import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { changeRow, differing } from '../compare-and-set.ts';
import type { SpacesDeps } from '../deps.ts';
import { requireColleagues } from '../members/colleagues-exist.ts';
import { found } from '../not-found.ts';
import { isAgent, refuseAgents } from '../permission.ts';
import { findProject } from '../projects/store.ts';
import { findSpace } from '../spaces/store.ts';
import { agentToStart, outcomeOf, waitingStatus } from './delegation.ts';
import { assignmentOf, checkDelegator } from './delegation-operations.ts';
import type { Delegator } from './delegation-schema.ts';
import { latestDelegation } from './delegation-store.ts';
import type { NewTicket, Provenance, Ticket, TicketChange } from './schema.ts';
import {
  type Consequences,
  findTicket,
  findTicketByKey,
  insertTicket,
  type TicketFields,
  updateTicket,
} from './store.ts';
import { AGENT_TRANSITIONS, isEnd, mayAgentMove } from './ticket-status.ts';

/**
 * A ticket for an agent starts that agent, in the same commit.
 * @throws Fault not_found for an assignee, parent, space or project that is not in the workspace; delegation_refused
 */
export async function createTicket(
  deps: SpacesDeps,
  database: Database,
  { key, delegator: given, ...input }: NewTicket,
  actor: Actor,
): Promise<Ticket> {
  const delegator = checkDelegator(given, actor);
  const known = key === undefined ? null : await findTicketByKey(database, key);
  if (known) return known;
  await checkReferences(deps, database, input);
  if (input.parentId) found(await findTicket(database, input.parentId), 'ticket', input.parentId);
  const nowMs = deps.clock();
  const made = { ...input, id: newId('tkt'), createdAt: nowMs, updatedAt: nowMs, version: 1 };
  const agentId = agentToStart(null, made, actor);
  if (agentId === null) return written(await insertTicket(database, made, key ?? null, actor, null), made.id);
  const ticket = { ...made, status: waitingStatus(made.status), provenance: delegated(made, delegator) };
  for (;;) {
    const from = { actor, delegator, at: ticket.parentId, spaceId: ticket.spaceId };
    const assignment = await assignmentOf(database, agentId, from);
    const row = await insertTicket(database, ticket, key ?? null, actor, assignment);
    // A bound that was free a moment ago is not now: looking again says which.
    if (row) return row;
  }
}

function written(ticket: Ticket | null, id: string): Ticket {
  return found(ticket, 'ticket', id);
}

/** Work that was filed by hand is delegated from now on; what came from elsewhere still did. */
function delegated({ provenance }: Pick<Ticket, 'provenance'>, delegator: Delegator | null): Provenance {
  return provenance.kind === 'hand' ? { kind: 'delegation', id: delegator?.runId ?? null } : provenance;
}

/**
 * A change to the present value writes nothing. A ticket that comes to an agent starts that agent, and one that is taken from
 * it or brought to an end calls its run off, in the same commit.
 * @throws Fault wrong_status (an agent's illegal move), not_found, conflict for a stale version, delegation_refused
 */
export async function changeTicket(
  deps: SpacesDeps,
  database: Database,
  id: string,
  { version, delegator: given, ...patch }: TicketChange,
  actor: Actor,
): Promise<Ticket> {
  const delegator = checkDelegator(given, actor);
  if (patch.spaceId !== undefined) refuseAgents(actor, 'move a ticket to another space');
  await checkReferences(deps, database, patch);
  const read = async () => found(await findTicket(database, id), 'ticket', id);
  return changeRow(version, read, async (before) => {
    const asked = differing(before, patch) as TicketFields;
    if (Object.keys(asked).length === 0) return true;
    if (asked.status && isAgent(actor)) checkMove(before, asked.status);
    const { fields, ...consequences } = await consequencesOf(database, before, asked, { actor, delegator });
    return updateTicket(database, before, fields, { ...consequences, actor, at: deps.clock() });
  });
}

interface By {
  actor: Actor;
  delegator: Delegator | null;
}

async function consequencesOf(
  database: Database,
  before: Ticket,
  asked: TicketFields,
  { actor, delegator }: By,
): Promise<Consequences & { fields: TicketFields }> {
  const after = { ...before, ...asked };
  // What is done in the run of the ticket is its own affair, until that run ends.
  const byItsRun = delegator?.ticketIds.includes(before.id) ?? false;
  const withdraws = asked.assignee !== undefined && !byItsRun;
  const isOver = isEnd(after.status) && !isEnd(before.status) && !byItsRun;
  const ends = isOver ? outcomeOf(after.status) : null;
  const agentId = agentToStart(before, after, actor);
  const isStarted = agentId !== null && (withdraws || byItsRun || !(await isUnderWay(database, before.id)));
  if (!isStarted) return { fields: asked, withdraws, ends, starts: null };
  const spaceId = isAgent(actor) ? (before.spaceId ?? delegator?.spaceId ?? null) : after.spaceId;
  const from = { actor, delegator, at: before.id, spaceId };
  const starts = await assignmentOf(database, agentId, from);
  const set = { status: waitingStatus(after.status), provenance: delegated(before, delegator), spaceId };
  return { fields: { ...asked, ...differing(after, set) }, withdraws, ends, starts };
}

async function isUnderWay(database: Database, ticketId: string): Promise<boolean> {
  const latest = await latestDelegation(database, ticketId);
  return latest !== null && latest.endedAt === null && latest.withdrawnAt === null;
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
  { assignee, spaceId, projectId }: Pick<TicketChange, 'assignee' | 'spaceId' | 'projectId'>,
): Promise<void> {
  if (assignee) await requireColleagues(deps.control, database, [assignee], () => 'assignee');
  if (spaceId) found(await findSpace(database, spaceId), 'space', spaceId);
  if (projectId) found(await findProject(database, projectId), 'project', projectId);
}
