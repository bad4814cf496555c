import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import { MEMBER_COLUMNS, members, sessions, type signInCodes } from './schema.ts';

/** Codes that are over go with it. False when the member is gone. */
export async function insertSignInCode(
  control: Database,
  { digest, memberId, createdAt, expiresAt }: Omit<typeof signInCodes.$inferSelect, 'usedAt'>,
): Promise<boolean> {
  const [, inserted] = await control.write('signInCode.create', [
    { sql: 'DELETE FROM signInCodes WHERE expiresAt <= ?', args: [createdAt] },
    {
      sql: `INSERT INTO signInCodes (digest, memberId, createdAt, expiresAt)
            SELECT ?, id, ?, ? FROM members WHERE id = ? AND removedAt IS NULL`,
      args: [digest, createdAt, expiresAt, memberId],
    },
  ]);
  return inserted?.rowsAffected === 1;
}

type NewRow = typeof sessions.$inferSelect;

/** Uses the code up and makes the session, or neither. Sessions that are over go with it. */
export async function insertSession(
  control: Database,
  codeDigest: string,
  session: Pick<NewRow, 'id' | 'digest' | 'createdAt' | 'expiresAt' | 'browser' | 'system'>,
): Promise<void> {
  const { id, digest, createdAt, expiresAt, browser, system } = session;
  await control.write('session.begin', [
    {
      sql: 'UPDATE signInCodes SET usedAt = ? WHERE digest = ? AND usedAt IS NULL AND expiresAt > ?',
      args: [createdAt, codeDigest, createdAt],
    },
    {
      sql: `INSERT INTO sessions (id, memberId, digest, createdAt, expiresAt, lastSeenAt, browser, system)
            SELECT ?, memberId, ?, ?, ?, ?, ?, ? FROM signInCodes WHERE digest = ? AND changes() > 0`,
      args: [id, digest, createdAt, expiresAt, createdAt, browser, system, codeDigest],
    },
    { sql: 'DELETE FROM sessions WHERE expiresAt <= ?', args: [createdAt] },
  ]);
}

/** A session that is not over, with its member as they are now. */
export async function findSession(control: Database, digest: string, nowMs: number) {
  const rows = await control.orm
    .select({
      id: sessions.id,
      expiresAt: sessions.expiresAt,
      lastSeenAt: sessions.lastSeenAt,
      member: MEMBER_COLUMNS,
    })
    .from(sessions)
    .innerJoin(members, and(eq(members.id, sessions.memberId), isNull(members.removedAt)))
    .where(and(eq(sessions.digest, digest), gt(sessions.expiresAt, nowMs)));
  return rows[0] ?? null;
}
export type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** What may be told of a session. */
export interface SessionView {
  id: string;
  memberId: string;
  createdAt: number;
  /** To within ten minutes. */
  lastSeenAt: number;
  expiresAt: number;
  /** `Firefox`, `Windows`; null when it did not say, or in words that are not known. */
  browser: string | null;
  system: string | null;
}

const VIEW = {
  id: sessions.id,
  memberId: sessions.memberId,
  createdAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
  expiresAt: sessions.expiresAt,
  browser: sessions.browser,
  system: sessions.system,
};

/** Those of a member that are not over, the last seen first. */
export function listSessions(control: Database, memberId: string, nowMs: number): Promise<SessionView[]> {
  return control.orm
    .select(VIEW)
    .from(sessions)
    .where(and(eq(sessions.memberId, memberId), gt(sessions.expiresAt, nowMs)))
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.id));
}

/** Null also for one that is over. */
export async function findSessionById(
  control: Database,
  id: string,
  nowMs: number,
): Promise<SessionView | null> {
  const rows = await control.orm
    .select(VIEW)
    .from(sessions)
    .where(and(eq(sessions.id, id), gt(sessions.expiresAt, nowMs)));
  return rows[0] ?? null;
}

/** False when it was seen by another request in the meantime, or is gone. */
export async function markSeen(
  control: Database,
  digest: string,
  seen: { before: number; at: number; expiresAt: number },
): Promise<boolean> {
  const [updated] = await control.write('session.see', [
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

/** False when it is gone already. */
export async function deleteSessionById(control: Database, id: string): Promise<boolean> {
  const [deleted] = await control.write('session.end', [
    { sql: 'DELETE FROM sessions WHERE id = ?', args: [id] },
  ]);
  return deleted?.rowsAffected === 1;
}

/** @returns how many there were beside `keptId` */
export async function deleteSessionsOf(
  control: Database,
  memberId: string,
  keptId: string | null,
): Promise<number> {
  const [deleted] = await control.write('session.endOthers', [
    { sql: 'DELETE FROM sessions WHERE memberId = ? AND id IS NOT ?', args: [memberId, keptId] },
  ]);
  return deleted?.rowsAffected ?? 0;
}
