import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';

const PlanNode = z.strictObject({
  key: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a slug: a-z, 0-9 and single hyphens between'),
  title: z.string().trim().min(1).max(300),
  description: z.string().trim().max(200_000),
  needs: z.array(z.string()).max(1000).default([]),
});
export type PlanNode = z.infer<typeof PlanNode>;

export const plans = sqliteTable('plans', {
  id: text().primaryKey(),
  key: text(),
  goal: text().notNull(),
  nodes: text({ mode: 'json' }).$type<PlanNode[]>().notNull(),
  proposedBy: text().$type<Actor>().notNull(),
  runId: text(),
  spaceId: text().notNull(),
  conversationId: text().notNull(),
  messageId: text(),
  createdAt: integer().notNull(),
});
export type PlanRow = typeof plans.$inferSelect;
export type Plan = Omit<PlanRow, 'key'>;

export const PlanInput = z.strictObject({
  goal: z.string().trim().min(1).max(8000),
  nodes: z.array(PlanNode).min(1, 'a plan has at least one node').max(1000),
  spaceId: z.string().min(1).max(100),
  conversationId: z.string().min(1).max(100),
  runId: z.string().min(1).max(100).nullable().optional(),
  key: z.string().min(1).max(200).optional(),
});
export type PlanInput = z.infer<typeof PlanInput>;
