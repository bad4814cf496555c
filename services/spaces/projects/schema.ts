import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { Key, Line, Markdown } from '../fields.ts';

export const projects = sqliteTable('projects', {
  id: text().primaryKey(),
  name: text().notNull(),
  description: text().notNull(),
  createdAt: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(projects);
export const PROJECT_COLUMNS = columns;
export type Project = Omit<typeof projects.$inferSelect, 'key'>;

export const NewProject = z.strictObject({
  name: Line,
  description: Markdown.default(''),
  key: Key.optional(),
});
export type NewProject = z.infer<typeof NewProject>;
