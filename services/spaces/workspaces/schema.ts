import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Key, Line } from '../fields.ts';

export const workspaces = sqliteTable('workspaces', {
  id: text().primaryKey(),
  name: text().notNull(),
  state: text().$type<'creating' | 'ready'>().notNull(),
  createdAt: integer().notNull(),
  createdBy: text().$type<Actor>().notNull(),
  key: text(),
});
const { key, createdBy, ...columns } = getTableColumns(workspaces);
export const WORKSPACE_COLUMNS = columns;
export type Workspace = Omit<typeof workspaces.$inferSelect, 'key' | 'createdBy'>;

export const NewWorkspace = z.strictObject({ name: Line, key: Key.optional() });
export type NewWorkspace = z.infer<typeof NewWorkspace>;
