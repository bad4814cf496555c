import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { Autonomy, Mode } from '../../../core-wasm/core.ts';
import { Id, Key, Line, Slug, Version } from '../fields.ts';

export const SpaceRepository = z.strictObject({ name: Slug, path: z.string().min(1).max(4096) });
export type SpaceRepository = z.infer<typeof SpaceRepository>;

/** What becomes of an action that needs a word while nobody who may say it is connected. */
export const WhenNobody = z.enum(['refuse', 'wait']);
export type WhenNobody = z.infer<typeof WhenNobody>;

export const spaces = sqliteTable('spaces', {
  id: text().primaryKey(),
  name: text().notNull(),
  mode: text().$type<Mode>().notNull(),
  repositories: text({ mode: 'json' }).$type<SpaceRepository[]>().notNull(),
  agents: text({ mode: 'json' }).$type<string[]>().notNull(),
  parentSpaceId: text(),
  mainConversationId: text().notNull(),
  autonomy: text().$type<Autonomy>().notNull(),
  whenNobody: text().$type<WhenNobody>().notNull(),
  createdAt: integer().notNull(),
  version: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(spaces);
export const SPACE_COLUMNS = columns;
export type Space = Omit<typeof spaces.$inferSelect, 'key'>;

/** A space as it is shown: with when something was last said in any of its conversations; null before that. */
export interface ShownSpace extends Space {
  lastMessageAt: number | null;
}

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
  autonomy: Autonomy.default('actWithApproval'),
  whenNobody: WhenNobody.default('refuse'),
  key: Key.optional(),
});
export type NewSpace = z.infer<typeof NewSpace>;

export const SpaceChange = z.strictObject({
  mode: Mode.optional(),
  name: Line.optional(),
  agents: AgentIds.optional(),
  autonomy: Autonomy.optional(),
  whenNobody: WhenNobody.optional(),
  version: Version.optional(),
});
export type SpaceChange = z.infer<typeof SpaceChange>;
