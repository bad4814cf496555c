import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { Actor } from '../../kit/actor.ts';
import { Id, JsonObject, Key, Markdown } from '../fields.ts';

export const ApprovalKind = z.enum(['plan_exit', 'action', 'orchestration', 'question', 'skill_override']);
export type ApprovalKind = z.infer<typeof ApprovalKind>;
export const ApprovalStatus = z.enum(['pending', 'approved', 'refused', 'superseded']);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;
export interface Decision {
  reason?: string;
  answer?: string;
}

export const approvals = sqliteTable('approvals', {
  id: text().primaryKey(),
  kind: text().$type<ApprovalKind>().notNull(),
  requester: text().$type<Actor>().notNull(),
  subject: text().notNull(),
  arguments: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** SHA-256 of the canonical JSON of kind and arguments, hexadecimal. */
  digest: text().notNull(),
  status: text().$type<ApprovalStatus>().notNull(),
  decidedBy: text().$type<Actor>(),
  decidedAt: integer(),
  decision: text({ mode: 'json' }).$type<Decision>(),
  runId: text(),
  spaceId: text(),
  conversationId: text(),
  createdAt: integer().notNull(),
  key: text().notNull(),
});
const { key, ...columns } = getTableColumns(approvals);
export const APPROVAL_COLUMNS = columns;
export type Approval = Omit<typeof approvals.$inferSelect, 'key'>;

export const NewApproval = z.strictObject({
  kind: ApprovalKind,
  requester: Actor.transform((text) => text as Actor),
  subject: Markdown.refine((text) => text.trim().length > 0, 'must not be blank'),
  arguments: JsonObject,
  runId: Id.nullable().default(null),
  spaceId: Id.nullable().default(null),
  conversationId: Id.nullable().default(null),
  key: Key,
});
export type NewApproval = z.infer<typeof NewApproval>;

export const NewDecision = z.strictObject({
  decision: z.enum(['approved', 'refused']),
  /** What the person saw; a decision about anything else is refused. */
  digest: z.string().optional(),
  reason: Markdown.optional(),
  answer: Markdown.optional(),
});
export type NewDecision = z.infer<typeof NewDecision>;

export const ApprovalFilter = z.object({ status: ApprovalStatus.optional(), runId: Id.optional() });
export type ApprovalFilter = z.infer<typeof ApprovalFilter>;
