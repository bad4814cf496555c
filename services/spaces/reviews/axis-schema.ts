import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Slug } from '../fields.ts';
import { AxisList, AxisOutcome } from './axes.ts';
import { CommitName } from './schema.ts';

/** The workspace's own list: one row, or none while the default holds. */
export const reviewAxisLists = sqliteTable('reviewAxisLists', {
  id: integer().primaryKey(),
  axes: text({ mode: 'json' }).$type<AxisList>().notNull(),
  updatedAt: integer().notNull(),
});

export const reviewAxisResults = sqliteTable('reviewAxisResults', {
  reviewId: text().notNull(),
  axis: text().notNull(),
  headSha: text().notNull(),
  result: text().$type<AxisOutcome>().notNull(),
  note: text().notNull(),
  givenBy: text().$type<Actor>().notNull(),
  givenAt: integer().notNull(),
});
export type AxisResultRow = typeof reviewAxisResults.$inferSelect;

export const NewAxisList = z.strictObject({ axes: AxisList });

export const NewAxisResults = z.strictObject({
  /** The head that was looked at; the present one when left out. */
  headSha: CommitName.optional(),
  results: z
    .array(z.strictObject({ axis: Slug, result: AxisOutcome, note: z.string().max(2_000).default('') }))
    .min(1)
    .max(50),
});
export type NewAxisResults = z.infer<typeof NewAxisResults>;
