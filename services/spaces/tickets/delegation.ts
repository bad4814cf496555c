import { type Actor, actorId } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { isAgent, isService } from '../permission.ts';
import type { DelegationOutcome, Delegator } from './delegation-schema.ts';
import type { Ticket } from './schema.ts';
import { isEnd, type TicketStatus } from './ticket-status.ts';

/** Delegations between whoever asked first and the agent that does the work. */
export const MAX_DEPTH = 3;
/** Delegations that came from one run, over all below it: those that have not ended, and all there were. */
export const MAX_OPEN = 8;
export const MAX_IN_ALL = 40;

/** Through whom a ticket came to an agent. */
export interface Line {
  /** Ids of agents, the one who has it last. */
  chain: readonly string[];
  depth: number;
}

/** What an assignment is to start. */
export interface Assignment extends Line {
  agentId: string;
  delegatedBy: Actor;
  delegator: Delegator | null;
}

type Holding = Pick<Ticket, 'status' | 'assignee' | 'provenance'>;

/** Where a person may pick up a ticket that its agent has left. */
const AT_REST: readonly TicketStatus[] = ['inReview', 'blocked', 'done', 'failed', 'cancelled'];

/**
 * The agent that is to begin when a ticket comes to stand as in `after`; null where nobody is. Work of a pipeline is
 * started by its pipeline, and an agent that takes a ticket for itself is at work already.
 */
export function agentToStart(before: Holding | null, after: Holding, actor: Actor): string | null {
  const { assignee, status, provenance } = after;
  if (!assignee || !isAgent(assignee) || isEnd(status)) return null;
  if (provenance.kind === 'pipelineStep' || isService(actor) || assignee === actor) return null;
  const isAssigned = assignee !== before?.assignee;
  const isReopened =
    before !== null && AT_REST.includes(before.status) && ['open', 'inProgress'].includes(status);
  return isAssigned || (isReopened && !isAgent(actor)) ? actorId(assignee) : null;
}

/** The line of a new delegation: of the run in which it is made, and of the ticket at hand where that is the agent's own. */
export function extended(agentId: string, delegator: Delegator | null, own: Line | null): Line {
  const before = [...new Set([...(own?.chain ?? []), ...(delegator?.agentIds ?? [])])];
  return {
    chain: [...before, agentId],
    depth: Math.max(own?.depth ?? 0, delegator?.depth ?? 0) + 1,
  };
}

/** Why an agent may not delegate so, or null. */
export function lineRefusal(
  { chain, depth, agentId }: Pick<Assignment, 'chain' | 'depth' | 'agentId'>,
  nameOf: (id: string) => string,
): Fault | null {
  const before = chain.slice(0, -1);
  const names = before.map(nameOf).join(' → ');
  const detail = { chain: before.map(nameOf), agent: nameOf(agentId) };
  const mend =
    'Do it yourself in this run, or say in your answer what is still to be done; a person may assign it to anyone.';
  if (before.includes(agentId)) {
    const message = `Nothing was assigned: ${nameOf(agentId)} is in the chain through which this work came already (${names}), and work does not go back. ${mend}`;
    return new Fault('delegation_refused', message, { ...detail, bound: 'chain' });
  }
  if (depth > MAX_DEPTH) {
    const message = `Nothing was assigned: the chain through which this work came (${names}) is ${depth - 1} delegations long, and ${MAX_DEPTH} is the most. ${mend}`;
    return new Fault('delegation_refused', message, { ...detail, bound: 'depth', limit: MAX_DEPTH });
  }
  return null;
}

/** Why the bounds on numbers keep an agent from delegating, or null. */
export function countRefusal({ open, inAll }: { open: number; inAll: number }): Fault | null {
  if (inAll >= MAX_IN_ALL) {
    const message = `Nothing was assigned: ${MAX_IN_ALL} tickets have been delegated from what you were asked, and that is the most. Do the rest yourself, or ask a person.`;
    return new Fault('delegation_refused', message, { bound: 'inAll', limit: MAX_IN_ALL });
  }
  if (open >= MAX_OPEN) {
    const message = `Nothing was assigned: ${MAX_OPEN} tickets delegated from what you were asked have not ended, and that is the most. Do it yourself, or wait to be told of one of them.`;
    return new Fault('delegation_refused', message, { bound: 'open', limit: MAX_OPEN });
  }
  return null;
}

/** The status with which a delegated ticket waits for its run. */
export function waitingStatus(status: TicketStatus): TicketStatus {
  return status === 'blocked' ? 'open' : status;
}

const ENDS: Record<DelegationOutcome, TicketStatus> = {
  completed: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
};

export function statusAfter(outcome: DelegationOutcome): TicketStatus {
  return ENDS[outcome];
}

export function outcomeOf(status: TicketStatus): DelegationOutcome {
  if (status === 'failed' || status === 'cancelled') return status;
  return 'completed';
}
