import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const members = sqliteTable('members', {
  id: text().primaryKey(),
  name: text().notNull(),
  role: text().$type<'owner' | 'operator' | 'viewer'>().notNull(),
  createdAt: integer().notNull(),
});
export type Member = typeof members.$inferSelect;

/** Personal tokens; only the SHA-256 of one is kept. */
export const tokens = sqliteTable('tokens', {
  id: text().primaryKey(),
  memberId: text().notNull(),
  digest: text().notNull(),
  name: text().notNull(),
  createdAt: integer().notNull(),
});
