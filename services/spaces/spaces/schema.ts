import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { Mode } from '../../../core-wasm/core.ts';
import { Id, Key, Line, Slug, Version } from '../fields.ts';

export const SpaceRepository = z.strictObject({ name: Slug, path: z.string().min(1).max(4096) });
export type SpaceRepository = z.infer<typeof SpaceRepository>;

export const spaces = sqliteTable('spaces', {
  id: text().primaryKey(),
  name: text().notNull(),
  mode: text().$type<Mode>().notNull(),
  repositories: text({ mode: 'json' }).$type<SpaceRepository[]>().notNull(),
  agents: text({ mode: 'json' }).$type<string[]>().notNull(),
  parentSpaceId: text(),
  mainConversationId: text().notNull(),
  createdAt: integer().notNull(),
  version: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(spaces);
export const SPACE_COLUMNS = columns;
export type Space = Omit<typeof spaces.$inferSelect, 'key'>;

const AgentIds = z
  .array(Id)
  .max(500)
  .transform((ids) => [...new Set(ids)]);
const Repositories = z
  .array(SpaceRepository)
  .max(20)
  .superRefine((list, context) => {
    list.forEach(({ name }, i) => {
      if (list.findIndex((other) => other.name === name) === i) return;
      context.addIssue({
        code: 'custom',
        path: [i, 'name'],
        message: `${name} names an earlier repository too`,
      });
    });
  });

export const NewSpace = z.strictObject({
  name: Line,
  mode: Mode.default('chat'),
  repositories: Repositories.default([]),
  agents: AgentIds.default([]),
  parentSpaceId: Id.nullable().default(null),
  key: Key.optional(),
});
export type NewSpace = z.infer<typeof NewSpace>;

export const SpaceChange = z.strictObject({
  mode: Mode.optional(),
  name: Line.optional(),
  agents: AgentIds.optional(),
  version: Version.optional(),
});
export type SpaceChange = z.infer<typeof SpaceChange>;
