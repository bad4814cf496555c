import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import { MEMBER_COLUMNS, members, sessions, signInCodes } from './schema.ts';

/** Codes that are over go with it. */
export async function insertSignInCode(
  control: Database,
  code: { digest: string; memberId: string; createdAt: number; expiresAt: number },
): Promise<void> {
  await control.write('signInCode.create', [
    { sql: 'DELETE FROM signInCodes WHERE expiresAt <= ?', args: [code.createdAt] },
    control.orm.insert(signInCodes).values(code),
  ]);
}

/** Uses the code up and makes the session, or neither. Sessions that are over go with it. */
export async function insertSession(
  control: Database,
  codeDigest: string,
  session: { id: string; digest: string; createdAt: number; expiresAt: number },
): Promise<void> {
  const { id, digest, createdAt, expiresAt } = session;
  await control.write('session.begin', [
    {
      sql: 'UPDATE signInCodes SET usedAt = ? WHERE digest = ? AND usedAt IS NULL AND expiresAt > ?',
      args: [createdAt, codeDigest, createdAt],
    },
    {
      sql: `INSERT INTO sessions (id, memberId, digest, createdAt, expiresAt, lastSeenAt)
            SELECT ?, memberId, ?, ?, ?, ? FROM signInCodes WHERE digest = ? AND changes() > 0`,
      args: [id, digest, createdAt, expiresAt, createdAt, codeDigest],
    },
    { sql: 'DELETE FROM sessions WHERE expiresAt <= ?', args: [createdAt] },
  ]);
}

/** A session that is not over, with its member as they are now. */
export async function findSession(control: Database, digest: string, nowMs: number) {
  const rows = await control.orm
    .select({ expiresAt: sessions.expiresAt, lastSeenAt: sessions.lastSeenAt, member: MEMBER_COLUMNS })
    .from(sessions)
    .innerJoin(members, eq(members.id, sessions.memberId))
    .where(and(eq(sessions.digest, digest), gt(sessions.expiresAt, nowMs)));
  return rows[0] ?? null;
}
export type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** False when it was seen by another request in the meantime, or is gone. */
export async function renewSession(
  control: Database,
  digest: string,
  seen: { before: number; at: number; expiresAt: number },
): Promise<boolean> {
  const [updated] = await control.write('session.renew', [
    {
      sql: 'UPDATE sessions SET lastSeenAt = ?, expiresAt = ? WHERE digest = ? AND lastSeenAt = ?',
      args: [seen.at, seen.expiresAt, digest, seen.before],
    },
  ]);
  return updated?.rowsAffected === 1;
}

export async function deleteSession(control: Database, digest: string): Promise<void> {
  await control.write('session.end', [{ sql: 'DELETE FROM sessions WHERE digest = ?', args: [digest] }]);
}
