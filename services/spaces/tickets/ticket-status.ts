import * as z from 'zod';

export const TICKET_STATUSES = [
  'backlog',
  'open',
  'inProgress',
  'inReview',
  'blocked',
  'done',
  'failed',
  'cancelled',
] as const;
export const TicketStatus = z.enum(TICKET_STATUSES);
export type TicketStatus = z.infer<typeof TicketStatus>;

export function isEnd(status: TicketStatus): boolean {
  return AGENT_TRANSITIONS[status].length === 0;
}

/**
 * Where an agent may move a ticket from each status; nowhere from an end, which only a person reopens. People, and services on their behalf, may move one
 * anywhere.
 */
export const AGENT_TRANSITIONS: Readonly<Record<TicketStatus, readonly TicketStatus[]>> = {
  backlog: ['open', 'inProgress', 'cancelled'],
  open: ['backlog', 'inProgress', 'blocked', 'cancelled'],
  inProgress: ['open', 'inReview', 'blocked', 'done', 'failed', 'cancelled'],
  inReview: ['inProgress', 'blocked', 'done', 'failed', 'cancelled'],
  blocked: ['open', 'inProgress', 'failed', 'cancelled'],
  done: [],
  failed: [],
  cancelled: [],
};

export function mayAgentMove(from: TicketStatus, to: TicketStatus): boolean {
  return from === to || AGENT_TRANSITIONS[from].includes(to);
}
