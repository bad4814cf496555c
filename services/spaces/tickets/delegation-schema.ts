import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Id, Markdown } from '../fields.ts';

export const DelegationOutcome = z.enum(['completed', 'failed', 'cancelled']);
export type DelegationOutcome = z.infer<typeof DelegationOutcome>;

/** One assignment of a ticket to an agent, which is one run of that agent. */
export const ticketDelegations = sqliteTable('ticketDelegations', {
  id: text().primaryKey(),
  ticketId: text().notNull(),
  /** Counts from 1 for each ticket; only the last one's run moves the ticket. */
  number: integer().notNull(),
  agentId: text().notNull(),
  delegatedBy: text().$type<Actor>().notNull(),
  /** The run in which an agent delegated, and its conversation; null for a person. */
  runId: text(),
  fromConversationId: text(),
  /** The run from which, over all that was delegated since, this one comes. */
  originRunId: text(),
  /** Ids of the agents through whom the work came, the assignee last. */
  chain: text({ mode: 'json' }).$type<string[]>().notNull(),
  /** Delegations on the way, this one included. */
  depth: integer().notNull(),
  /** The ticket's thread; null for a ticket of no space. */
  conversationId: text(),
  createdAt: integer().notNull(),
  beganAt: integer(),
  /** The ticket was taken from the agent: its run is called off. */
  withdrawnAt: integer(),
  /** Whoever delegated is told of the end once. */
  endedAt: integer(),
  outcome: text().$type<DelegationOutcome>(),
  resultCommentId: text(),
  /** Names the rows that one commit has changed. */
  closing: text(),
});
const { closing, ...columns } = getTableColumns(ticketDelegations);
export const DELEGATION_COLUMNS = columns;
export type Delegation = Omit<typeof ticketDelegations.$inferSelect, 'closing'>;

/**
 * Where an agent's call of a ticket comes from, as the runs service knows it: its run, the agents through whom the work
 * came to that run (its own agent last), how many delegations that took, and the tickets in whose runs it takes place.
 */
export const Delegator = z.strictObject({
  runId: Id,
  originRunId: Id,
  conversationId: Id.nullable(),
  spaceId: Id.nullable(),
  agentIds: z.array(Id).min(1).max(200),
  depth: z.number().int().min(0).max(1_000),
  ticketIds: z.array(Id).max(200),
});
export type Delegator = z.infer<typeof Delegator>;

/** How the run of a delegation ended; `body` is its result or the reason, Markdown. */
export const DelegationEnd = z.strictObject({
  outcome: DelegationOutcome,
  body: Markdown,
  runEndedAt: z.number().int().min(0),
});
export type DelegationEnd = z.infer<typeof DelegationEnd>;
