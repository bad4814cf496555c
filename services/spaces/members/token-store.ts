import { asc, eq } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import { tokens } from './schema.ts';

const COLUMNS = {
  id: tokens.id,
  memberId: tokens.memberId,
  name: tokens.name,
  createdAt: tokens.createdAt,
  lastUsedAt: tokens.lastUsedAt,
  isOwnerFile: tokens.isOwnerFile,
};

/** What may be told of a token. */
export interface TokenView {
  id: string;
  memberId: string;
  name: string;
  createdAt: number;
  /** To within ten minutes; null when it is not known to have been used. */
  lastUsedAt: number | null;
  /** Whether it is the one of the first start, which stands in the file `owner-token`. */
  isOwnerFile: boolean;
}

export async function findTokenByDigest(control: Database, digest: string): Promise<TokenView | null> {
  const rows = await control.orm.select(COLUMNS).from(tokens).where(eq(tokens.digest, digest));
  return rows[0] ?? null;
}

export async function findToken(control: Database, id: string): Promise<TokenView | null> {
  const rows = await control.orm.select(COLUMNS).from(tokens).where(eq(tokens.id, id));
  return rows[0] ?? null;
}

/** The id of the one that stands in the file `owner-token`; null when it was revoked. */
export async function findOwnerFileToken(control: Database): Promise<string | null> {
  const rows = await control.orm.select({ id: tokens.id }).from(tokens).where(eq(tokens.isOwnerFile, true));
  return rows[0]?.id ?? null;
}

/** Of whoever has been an owner longest. False when another start has made one in place of `lostId` already. */
export async function replaceOwnerToken(
  control: Database,
  { id, digest, name, createdAt }: { id: string; digest: string; name: string; createdAt: number },
  lostId: string | null,
): Promise<boolean> {
  const [inserted] = await control.write('token.replace', [
    {
      sql: `INSERT INTO tokens (id, memberId, digest, name, createdAt, isOwnerFile)
            SELECT ?, id, ?, ?, ?, 1 FROM members WHERE role = 'owner' AND removedAt IS NULL
            AND NOT EXISTS (SELECT 1 FROM tokens WHERE isOwnerFile = 1 AND tokens.id IS NOT ?)
            ORDER BY members.createdAt, members.id LIMIT 1`,
      args: [id, digest, name, createdAt, lostId],
    },
    { sql: 'DELETE FROM tokens WHERE id = ? AND changes() > 0', args: [lostId] },
  ]);
  return inserted?.rowsAffected === 1;
}

/** In the order in which they were made. */
export function listTokens(control: Database, memberId: string): Promise<TokenView[]> {
  return control.orm
    .select(COLUMNS)
    .from(tokens)
    .where(eq(tokens.memberId, memberId))
    .orderBy(asc(tokens.createdAt), asc(tokens.id));
}

/**
 * The token's id, or null when its member is gone, or its key made one under another name or one that is in use. Asked again
 * with a key, since the answer with the secret was lost, the same token gets the new secret.
 */
export async function insertToken(
  control: Database,
  token: {
    id: string;
    memberId: string;
    digest: string;
    name: string;
    createdAt: number;
    key: string | null;
  },
): Promise<string | null> {
  const { id, memberId, digest, name, createdAt, key } = token;
  const [written] = await control.write('token.create', [
    {
      sql: `INSERT INTO tokens (id, memberId, digest, name, createdAt, key)
            SELECT ?, id, ?, ?, ?, ? FROM members WHERE id = ? AND removedAt IS NULL
            ON CONFLICT (memberId, key) DO UPDATE SET digest = excluded.digest
            WHERE tokens.lastUsedAt IS NULL AND tokens.name = excluded.name RETURNING id`,
      args: [id, digest, name, createdAt, key, memberId],
    },
  ]);
  const made = written?.rows[0]?.id;
  return typeof made === 'string' ? made : null;
}

/** Does nothing when another request has done it meanwhile. */
export async function touchToken(
  control: Database,
  id: string,
  before: number | null,
  at: number,
): Promise<void> {
  await control.write('token.use', [
    { sql: 'UPDATE tokens SET lastUsedAt = ? WHERE id = ? AND lastUsedAt IS ?', args: [at, id, before] },
  ]);
}

/** False when there is none. */
export async function deleteToken(control: Database, id: string): Promise<boolean> {
  const [deleted] = await control.write('token.revoke', [
    { sql: 'DELETE FROM tokens WHERE id = ?', args: [id] },
  ]);
  return deleted?.rowsAffected === 1;
}
