import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Id, Key, Line } from '../fields.ts';
import { Colleague } from '../members/colleague.ts';

export const teams = sqliteTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
  members: text({ mode: 'json' }).$type<Actor[]>().notNull(),
  projectId: text(),
  createdAt: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(teams);
export const TEAM_COLUMNS = columns;
export type Team = Omit<typeof teams.$inferSelect, 'key'>;

export const NewTeam = z.strictObject({
  name: Line,
  members: z
    .array(Colleague)
    .max(500)
    .transform((actors) => [...new Set(actors)])
    .default([]),
  projectId: Id.nullable().default(null),
  key: Key.optional(),
});
export type NewTeam = z.infer<typeof NewTeam>;
