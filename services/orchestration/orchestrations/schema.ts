import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Proposal } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';

const ORCHESTRATION_STATUSES = [
  'proposed',
  'approved',
  'executing',
  'synthesizing',
  'completed',
  'failed',
  'cancelled',
] as const;
export type OrchestrationStatus = (typeof ORCHESTRATION_STATUSES)[number];

/** A plan is submitted by one agent, which does all of it; an orchestration has a team. */
const ORCHESTRATION_KINDS = ['orchestration', 'plan'] as const;
export type OrchestrationKind = (typeof ORCHESTRATION_KINDS)[number];

export interface Tokens {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** Columns below `version` are the service's own bookkeeping and are not part of the entity. */
export const orchestrations = sqliteTable('orchestrations', {
  id: text().primaryKey(),
  kind: text({ enum: ORCHESTRATION_KINDS }).notNull(),
  goal: text().notNull(),
  status: text({ enum: ORCHESTRATION_STATUSES }).notNull(),
  revision: integer().notNull(),
  approvedRevision: integer(),
  /** The newest revision once a person asked for changes of it; null again with the next revision. */
  changesRequestedRevision: integer(),
  changesRequestedReason: text(),
  /** Keys of the sub-tickets that were put off when a part was approved and that nobody has decided about since. */
  deferred: text({ mode: 'json' }).$type<string[]>().notNull(),
  /** Keys of those that a person left out. */
  leftOut: text({ mode: 'json' }).$type<string[]>().notNull(),
  /** Whether the approval of this plan has taken its space out of plan mode, or found it out of it. */
  spaceReturned: integer({ mode: 'boolean' }).notNull(),
  proposedBy: text().$type<Actor>().notNull(),
  requestedBy: text().$type<Actor>(),
  runId: text(),
  spaceId: text().notNull(),
  conversationId: text().notNull(),
  messageId: text(),
  parentTicketId: text(),
  approvalId: text(),
  /** The open question whether to raise the budget or stop. */
  budgetApprovalId: text(),
  projectId: text(),
  teamId: text(),
  pipelineRunId: text(),
  discussionSpaceId: text(),
  workSpaceId: text(),
  budgetMicros: integer().notNull(),
  spentMicros: integer().notNull(),
  costUnknown: integer({ mode: 'boolean' }).notNull(),
  tokens: text({ mode: 'json' }).$type<Tokens>().notNull(),
  failureCode: text(),
  failureMessage: text(),
  deliverable: text(),
  gaps: text({ mode: 'json' }).$type<string[]>(),
  branch: text(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  version: integer().notNull(),
  key: text(),
  /** The newest revision whose card and approval are in place. */
  publishedRevision: integer().notNull(),
  /** The cap that the runs service was last told, once its paused runs were resumed. */
  appliedBudgetMicros: integer(),
  /** Whether an ended orchestration's ticket, card, approvals and runs have been closed. */
  settled: integer({ mode: 'boolean' }).notNull(),
  lastAgentRevisionAt: integer(),
  /** The version of the space on which its return to chat was last tried; null before the first try. */
  spaceReturnVersion: integer(),
});
export type OrchestrationRow = typeof orchestrations.$inferSelect;

export const revisions = sqliteTable(
  'revisions',
  {
    orchestrationId: text().notNull(),
    revision: integer().notNull(),
    key: text(),
    author: text().$type<Actor>().notNull(),
    origin: text({ enum: ['proposed', 'edited', 'rolledBack'] }).notNull(),
    rolledBackTo: integer(),
    proposal: text({ mode: 'json' }).$type<Proposal>().notNull(),
    createdAt: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orchestrationId, table.revision] })],
);
export type RevisionRow = typeof revisions.$inferSelect;
export type Revision = Omit<RevisionRow, 'key'>;

const Key = z.string().min(1).max(200);
const Id = z.string().min(1).max(100);
const RevisionNumber = z.int().positive();

export const ListQuery = z.strictObject({
  kind: z.enum(ORCHESTRATION_KINDS).optional(),
  status: z.enum(ORCHESTRATION_STATUSES).optional(),
  /** The id that the page begins below. */
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type ListQuery = z.infer<typeof ListQuery>;

/** `proposal` is judged by the core, which names every fault by path. */
export const ProposeInput = z.strictObject({
  proposal: z.unknown(),
  spaceId: Id,
  conversationId: Id,
  runId: Id.nullable().optional(),
  /** The person on whose word the agent proposes. */
  requestedBy: z.string().nullable().optional(),
  /** Makes this a revision of an orchestration that is still proposed. */
  orchestrationId: Id.nullable().optional(),
  baseRevision: RevisionNumber.nullable().optional(),
  key: Key.optional(),
});
export type ProposeInput = z.infer<typeof ProposeInput>;

export const ReviseInput = z.strictObject({
  baseRevision: RevisionNumber,
  proposal: z.unknown(),
  key: Key.optional(),
});
export type ReviseInput = z.infer<typeof ReviseInput>;

export const RollbackInput = z.strictObject({
  baseRevision: RevisionNumber,
  to: RevisionNumber,
  key: Key.optional(),
});
export type RollbackInput = z.infer<typeof RollbackInput>;

const TicketKeys = z.array(z.string().max(64)).min(1, 'must name at least one sub-ticket').max(1000);
export const ApproveInput = z.strictObject({
  revision: RevisionNumber,
  /** Approves these sub-tickets alone, the others later; all of them without it. */
  tickets: TicketKeys.optional(),
});
export type ApproveInput = z.infer<typeof ApproveInput>;
export const ApproveDeferredInput = z.strictObject({ tickets: TicketKeys });
const Reason = z.string().trim().min(1, 'must not be blank').max(4000);
export const RejectInput = z.strictObject({ reason: Reason });
export const ChangesInput = z.strictObject({
  reason: Reason,
  /** The revision that the person saw; a request about an older one is refused. */
  revision: RevisionNumber.optional(),
});
export type ChangesInput = z.infer<typeof ChangesInput>;
export const BudgetInput = z.strictObject({ capMicros: z.int().positive() });
