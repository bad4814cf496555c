import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { nameKey } from '../../../core-wasm/core.ts';
import { Id, Key, Line } from '../fields.ts';

const Role = z.enum(['owner', 'operator', 'viewer']);
export type Role = z.infer<typeof Role>;

export const members = sqliteTable('members', {
  id: text().primaryKey(),
  name: text().notNull(),
  role: text().$type<Role>().notNull(),
  createdAt: integer().notNull(),
  key: text(),
  /** The row stays for the name that stands under what they wrote; they may do nothing and are nobody's colleague. */
  removedAt: integer(),
});
const { key, removedAt, ...columns } = getTableColumns(members);
export const MEMBER_COLUMNS = columns;
export type Member = Omit<typeof members.$inferSelect, 'key' | 'removedAt'>;

/** Somebody who was removed. */
export interface FormerMember {
  id: string;
  name: string;
  removedAt: number;
}

/** Personal tokens; only the SHA-256 of one is kept. */
export const tokens = sqliteTable('tokens', {
  id: text().primaryKey(),
  memberId: text().notNull(),
  digest: text().notNull(),
  name: text().notNull(),
  createdAt: integer().notNull(),
  key: text(),
  /** Null when it is not known to have been used. */
  lastUsedAt: integer(),
  /** Whether it is the one of the first start, which stands in the file `owner-token`. */
  isOwnerFile: integer({ mode: 'boolean' }).notNull(),
});

/** What a sign-in link holds, once and for a short time; only its SHA-256 is kept. */
export const signInCodes = sqliteTable('signInCodes', {
  digest: text().primaryKey(),
  memberId: text().notNull(),
  createdAt: integer().notNull(),
  expiresAt: integer().notNull(),
  usedAt: integer(),
});

/** A browser that signed in; of what its cookie holds only the SHA-256 is kept. */
export const sessions = sqliteTable('sessions', {
  id: text().primaryKey(),
  memberId: text().notNull(),
  digest: text().notNull(),
  createdAt: integer().notNull(),
  expiresAt: integer().notNull(),
  lastSeenAt: integer().notNull(),
  /** `Firefox`, `Windows`; null when it did not say, or in words that are not known. */
  browser: text(),
  system: text(),
});

/** By it people and agents know who says and decides something: it reads as what it is. */
const MemberName = Line.max(100, 'must be 100 characters at most')
  .refine(
    (name) => !/[():]/.test(name.normalize('NFKC')),
    'must have no brackets and no colon: what stands in them is said of somebody',
  )
  .refine((name) => nameKey(name) !== 'control center', 'is what this system itself is called');

export const NewMember = z.strictObject({ name: MemberName, role: Role, key: Key.optional() });
export type NewMember = z.infer<typeof NewMember>;

export const MemberChange = z
  .strictObject({ name: MemberName.optional(), role: Role.optional() })
  .refine(({ name, role }) => name !== undefined || role !== undefined, 'must change the name or the role');
export type MemberChange = z.infer<typeof MemberChange>;

const MINUTE_MS = 60_000;

export const NewSignInCode = z.strictObject({
  /** Whoever asks, unless an owner asks for another. */
  memberId: Id.optional(),
  validForMs: z
    .number()
    .int()
    .min(MINUTE_MS)
    .max(24 * 60 * MINUTE_MS)
    .default(15 * MINUTE_MS),
});
export type NewSignInCode = z.infer<typeof NewSignInCode>;

const Digest = z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hexadecimal');

export const OneDigest = z.strictObject({ digest: Digest });
/** `renew`: lengthens a session that has not been for a day. */
export const AskedSession = z.strictObject({ digest: Digest, renew: z.boolean() });
export type AskedSession = z.infer<typeof AskedSession>;
const ShortName = z.string().min(1).max(40).nullable().default(null);
export const NewSession = z.strictObject({
  codeDigest: Digest,
  digest: Digest,
  browser: ShortName,
  system: ShortName,
});
export type NewSession = z.infer<typeof NewSession>;

/** Whose sessions or tokens; one's own, unless an owner asks for another's. */
export const OfMember = z.object({ memberId: Id.optional() });

export const NewToken = z.strictObject({
  name: Line.max(100, 'must be 100 characters at most'),
  key: Key.optional(),
});
export type NewToken = z.infer<typeof NewToken>;
