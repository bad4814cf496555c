import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Id, Key, Line, Markdown, Version } from '../fields.ts';
import { Colleague } from '../members/colleague.ts';
import { Delegator } from './delegation-schema.ts';
import { TicketStatus } from './ticket-status.ts';

export const TicketPriority = z.enum(['none', 'low', 'medium', 'high', 'urgent']);
export type TicketPriority = z.infer<typeof TicketPriority>;
export const Provenance = z.strictObject({
  kind: z.enum(['hand', 'pipelineStep', 'delegation', 'sync', 'recovery']),
  id: Id.nullable(),
});
export type Provenance = z.infer<typeof Provenance>;

export const tickets = sqliteTable('tickets', {
  id: text().primaryKey(),
  /** Counts from 1 in each workspace. */
  number: integer().notNull(),
  title: text().notNull(),
  description: text().notNull(),
  status: text().$type<TicketStatus>().notNull(),
  priority: text().$type<TicketPriority>().notNull(),
  assignee: text().$type<Actor>(),
  parentId: text(),
  spaceId: text(),
  projectId: text(),
  labels: text({ mode: 'json' }).$type<string[]>().notNull(),
  provenance: text({ mode: 'json' }).$type<Provenance>().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  version: integer().notNull(),
  key: text(),
  changeId: text(),
});
const { key, changeId, ...columns } = getTableColumns(tickets);
export const TICKET_COLUMNS = columns;
export type Ticket = Omit<typeof tickets.$inferSelect, 'key' | 'changeId'>;

const Labels = z
  .array(Line)
  .max(50)
  .transform((labels) => [...new Set(labels)]);

export const NewTicket = z.strictObject({
  title: Line,
  description: Markdown.default(''),
  status: TicketStatus.default('backlog'),
  priority: TicketPriority.default('none'),
  assignee: Colleague.nullable().default(null),
  parentId: Id.nullable().default(null),
  spaceId: Id.nullable().default(null),
  projectId: Id.nullable().default(null),
  labels: Labels.default([]),
  provenance: Provenance.default({ kind: 'hand', id: null }),
  delegator: Delegator.optional(),
  key: Key.optional(),
});
export type NewTicket = z.infer<typeof NewTicket>;

export const TicketChange = z.strictObject({
  title: Line.optional(),
  description: Markdown.optional(),
  status: TicketStatus.optional(),
  priority: TicketPriority.optional(),
  assignee: Colleague.nullable().optional(),
  spaceId: Id.nullable().optional(),
  projectId: Id.nullable().optional(),
  labels: Labels.optional(),
  delegator: Delegator.optional(),
  version: Version.optional(),
});
export type TicketChange = z.infer<typeof TicketChange>;

export const TicketFilter = z.object({
  parentId: Id.optional(),
  projectId: Id.optional(),
  spaceId: Id.optional(),
  status: TicketStatus.optional(),
  assignee: Colleague.optional(),
  /** Tickets that this run has delegated. */
  delegatedInRun: Id.optional(),
});
export type TicketFilter = z.infer<typeof TicketFilter>;
