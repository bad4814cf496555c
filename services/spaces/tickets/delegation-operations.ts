import { type Actor, actorId } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import { agentNames } from '../agents/store.ts';
import { notFound } from '../not-found.ts';
import { isAgent, requireService } from '../permission.ts';
import { type Assignment, countRefusal, extended, lineRefusal, statusAfter } from './delegation.ts';
import { beginDelegation, endOfRun } from './delegation-run-store.ts';
import type { Delegation, DelegationEnd, Delegator } from './delegation-schema.ts';
import { countsFrom, listDelegations, ownLine } from './delegation-store.ts';

/** What an agent's call says of the run it is made in. @throws Fault forbidden, invalid_request */
export function checkDelegator(delegator: Delegator | undefined, actor: Actor): Delegator | null {
  if (delegator === undefined) return null;
  if (isAgent(actor) && delegator.agentIds.at(-1) === actorId(actor)) return delegator;
  throw new Fault(
    'forbidden',
    'Only an agent delegates from a run, and from one of its own; leave delegator out.',
    { actor },
  );
}

/**
 * @param at the ticket that is assigned, or under which one is made
 * @param spaceId where the work is to be done
 * @throws Fault delegation_refused naming the chain or the bound, forbidden for an agent outside of a run or its space
 */
export async function assignmentOf(
  database: Database,
  agentId: string,
  {
    actor,
    delegator,
    at,
    spaceId,
  }: { actor: Actor; delegator: Delegator | null; at: string | null; spaceId: string | null },
): Promise<Assignment> {
  if (!isAgent(actor))
    return { agentId, delegatedBy: actor, delegator: null, ...extended(agentId, null, null) };
  if (delegator === null) {
    throw new Fault('forbidden', 'An agent assigns work to another only in a run of its own.', { actor });
  }
  if (spaceId !== delegator.spaceId) throw elsewhere(spaceId, delegator);
  const own = await ownLine(database, at, actorId(actor));
  const assignment = { agentId, delegatedBy: actor, delegator, ...extended(agentId, delegator, own) };
  const names = new Map((await agentNames(database)).map(({ id, name }) => [id, name]));
  const refusal =
    lineRefusal(assignment, (id) => names.get(id) ?? id) ??
    countRefusal(await countsFrom(database, delegator.originRunId));
  if (refusal) throw refusal;
  return assignment;
}

// In another room, with another mode, other repositories and other rules, the agent could have done what it may not do itself.
function elsewhere(spaceId: string | null, delegator: Delegator): Fault {
  return new Fault(
    'forbidden',
    'Nothing was assigned: an agent assigns only work of the space it works in. Make a ticket in your own space, or ask a person.',
    { spaceId, yours: delegator.spaceId },
  );
}

async function delegationOf(database: Database, ticketId: string, number: string): Promise<Delegation> {
  const all = await listDelegations(database, ticketId);
  const delegation = all.find((one) => String(one.number) === number);
  if (!delegation) throw notFound('delegation', `${ticketId}/${number}`);
  return delegation;
}

/** @throws Fault forbidden (only services), not_found */
export async function begin(
  database: Database,
  ticketId: string,
  number: string,
  actor: Actor,
  nowMs: number,
): Promise<void> {
  requireService(actor, 'say that the run of a ticket has begun');
  const delegation = await delegationOf(database, ticketId, number);
  if (delegation.beganAt === null) await beginDelegation(database, delegation, actor, nowMs);
}

/**
 * How the run of a delegation ended. Says whether the delegation has ended with it: not where it had before, where the ticket
 * has gone to somebody else since, or while something that the agent delegated further goes on.
 * @throws Fault forbidden (only services), not_found
 */
export async function end(
  database: Database,
  ticketId: string,
  number: string,
  { outcome, body, runEndedAt }: DelegationEnd,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  requireService(actor, 'say how the run of a ticket ended');
  const delegation = await delegationOf(database, ticketId, number);
  if (delegation.endedAt !== null) return false;
  const author: Actor = outcome === 'completed' ? `agent:${delegation.agentId}` : actor;
  const comment = { id: newId('cmt', nowMs), author, body };
  const run = { outcome, status: statusAfter(outcome), comment, runEndedAt };
  return endOfRun(database, delegation, run, actor, nowMs);
}
