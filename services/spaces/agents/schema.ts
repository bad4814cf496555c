import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { Id, Key, Line, Markdown, Slug, Version } from '../fields.ts';

export const agents = sqliteTable('agents', {
  id: text().primaryKey(),
  name: text().notNull(),
  title: text().notNull(),
  persona: text().notNull(),
  systemPrompt: text(),
  skills: text({ mode: 'json' }).$type<string[]>().notNull(),
  adapterId: text(),
  modelId: text(),
  effort: text(),
  contextSize: integer(),
  silenceTimeoutMinutes: integer(),
  /** Model answers that a run of it may take; null for the usual number. */
  maxTurns: integer(),
  reportsTo: text(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  version: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(agents);
export const AGENT_COLUMNS = columns;
export type Agent = Omit<typeof agents.$inferSelect, 'key'>;

// Names are untrusted text for people; only one that is a slug without regard to case can have a directory to link.
const Skills = z.array(Line).max(100).transform(uniqueIgnoringCase);
const ShortText = z.string().trim().min(1).max(200);

const optionalFields = {
  persona: Markdown,
  systemPrompt: Markdown.nullable(),
  skills: Skills,
  adapterId: ShortText.nullable(),
  modelId: ShortText.nullable(),
  effort: ShortText.nullable(),
  contextSize: z.number().int().min(1000).max(100_000_000).nullable(),
  silenceTimeoutMinutes: z.number().int().min(1).max(240).nullable(),
  maxTurns: z.number().int().min(1).max(1_000).nullable(),
  reportsTo: Id.nullable(),
};

export const NewAgent = z
  .strictObject({ ...optionalFields })
  .partial()
  .extend({ name: Slug, title: Line, key: Key.optional() });
export type NewAgent = z.infer<typeof NewAgent>;

export const AgentChange = z
  .strictObject({ name: Slug, title: Line, ...optionalFields })
  .partial()
  .extend({ version: Version });
export type AgentChange = z.infer<typeof AgentChange>;

function uniqueIgnoringCase(names: string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const folded = name.toLowerCase();
    if (seen.has(folded)) return false;
    seen.add(folded);
    return true;
  });
}
