import { and, asc, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import { type FormerMember, MEMBER_COLUMNS, type Member, type MemberChange, members } from './schema.ts';

const isPresent = isNull(members.removedAt);

/** Null also for somebody who was removed. */
export async function findMember(control: Database, id: string): Promise<Member | null> {
  const rows = await control.orm
    .select(MEMBER_COLUMNS)
    .from(members)
    .where(and(eq(members.id, id), isPresent));
  return rows[0] ?? null;
}

/** Those that there are. */
export function findMembers(control: Database, ids: readonly string[]): Promise<Member[]> {
  return control.orm
    .select(MEMBER_COLUMNS)
    .from(members)
    .where(and(inArray(members.id, [...ids]), isPresent));
}

/** All, in the order in which they came. */
export function listMembers(control: Database): Promise<Member[]> {
  return control.orm
    .select(MEMBER_COLUMNS)
    .from(members)
    .where(isPresent)
    .orderBy(asc(members.createdAt), asc(members.id));
}

/** Those who were removed, in the order in which they went. */
export async function listFormerMembers(control: Database): Promise<FormerMember[]> {
  const rows = await control.orm
    .select({ id: members.id, name: members.name, removedAt: members.removedAt })
    .from(members)
    .where(isNotNull(members.removedAt))
    .orderBy(asc(members.removedAt), asc(members.id));
  return rows as FormerMember[];
}

/** Also one that was removed since: its key makes nobody else. */
export async function findMemberByKey(
  control: Database,
  key: string,
): Promise<(Member & { removedAt: number | null }) | null> {
  const rows = await control.orm
    .select({ ...MEMBER_COLUMNS, removedAt: members.removedAt })
    .from(members)
    .where(eq(members.key, key));
  return rows[0] ?? null;
}

export async function hasOwner(control: Database): Promise<boolean> {
  const rows = await control.orm
    .select({ id: members.id })
    .from(members)
    .where(and(eq(members.role, 'owner'), isPresent))
    .limit(1);
  return rows.length > 0;
}

/** The ids that no member has. */
export async function unknownMembers(control: Database, ids: readonly string[]): Promise<string[]> {
  const known = new Set((await findMembers(control, ids)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/** Makes the first owner and its token together; false when there is an owner already. */
export async function insertOwner(
  control: Database,
  owner: Member,
  token: { id: string; digest: string; name: string },
): Promise<boolean> {
  const [inserted] = await control.write('member.ensureOwner', [
    {
      sql: `INSERT INTO members (id, name, role, createdAt) SELECT ?, ?, ?, ?
            WHERE NOT EXISTS (SELECT 1 FROM members WHERE role = 'owner' AND removedAt IS NULL)`,
      args: [owner.id, owner.name, owner.role, owner.createdAt],
    },
    {
      sql: `INSERT INTO tokens (id, memberId, digest, name, createdAt, isOwnerFile)
            SELECT ?, ?, ?, ?, ?, 1 WHERE changes() > 0`,
      args: [token.id, owner.id, token.digest, token.name, owner.createdAt],
    },
  ]);
  return inserted?.rowsAffected === 1;
}

const IS_OWNER = "EXISTS (SELECT 1 FROM members WHERE id = ? AND role = 'owner' AND removedAt IS NULL)";
const IS_NOT_LAST_OWNER =
  "(role <> 'owner' OR (SELECT count(*) FROM members WHERE role = 'owner' AND removedAt IS NULL) > 1)";

/** False when the key is taken, or `ownerId` is no owner. */
export async function insertMember(
  control: Database,
  { id, name, role, createdAt }: Member,
  key: string | null,
  ownerId: string,
): Promise<boolean> {
  const [inserted] = await control.write('member.create', [
    {
      sql: `INSERT INTO members (id, name, role, createdAt, key) SELECT ?, ?, ?, ?, ? WHERE ${IS_OWNER}
            ON CONFLICT DO NOTHING`,
      args: [id, name, role, createdAt, key, ownerId],
    },
  ]);
  return inserted?.rowsAffected === 1;
}

/**
 * Whoever is no owner any more may have kept links that they made for others, and would get in as them: no link outlives that.
 * @param isEnding what makes it so, of the member with the id
 */
const endLinksOfOwner = (id: string, isEnding: string, args: (string | null)[]) => ({
  sql: `DELETE FROM signInCodes WHERE EXISTS (SELECT 1 FROM members WHERE id = ? AND role = 'owner' AND ${isEnding})`,
  args: [id, ...args],
});

/**
 * False when there is no such member, when it would leave nobody an owner, or when `ownerId` is no owner; null stands for
 * members who change their own name.
 */
export async function updateMember(
  control: Database,
  id: string,
  { name = null, role = null }: { [K in keyof MemberChange]: MemberChange[K] | null },
  ownerId: string | null,
): Promise<boolean> {
  const [, updated] = await control.write('member.change', [
    endLinksOfOwner(id, `? <> 'owner' AND ${IS_NOT_LAST_OWNER}`, [role]),
    {
      sql: `UPDATE members SET name = coalesce(?, name), role = coalesce(?, role)
            WHERE id = ? AND removedAt IS NULL AND (coalesce(?, role) = 'owner' OR ${IS_NOT_LAST_OWNER})
            ${ownerId === null ? '' : `AND ${IS_OWNER}`}`,
      args: [name, role, id, role, ...(ownerId === null ? [] : [ownerId])],
    },
  ]);
  return updated?.rowsAffected === 1;
}

const WAYS_IN = ['signInCodes', 'sessions', 'tokens'];

/**
 * Ends everything by which the member gets in and leaves the row, or does nothing. False when there is no such member, when it
 * would leave nobody an owner, or when `ownerId` is no owner; null stands for members who go by themselves.
 */
export async function removeMember(
  control: Database,
  id: string,
  removedAt: number,
  ownerId: string | null,
): Promise<boolean> {
  const isGone = 'EXISTS (SELECT 1 FROM members WHERE id = ? AND removedAt IS NOT NULL)';
  const [updated] = await control.write('member.remove', [
    {
      sql: `UPDATE members SET removedAt = ? WHERE id = ? AND removedAt IS NULL AND ${IS_NOT_LAST_OWNER}
            ${ownerId === null ? '' : `AND ${IS_OWNER}`}`,
      args: [removedAt, id, ...(ownerId === null ? [] : [ownerId])],
    },
    ...WAYS_IN.map((table) => ({
      sql: `DELETE FROM ${table} WHERE memberId = ? AND ${isGone}`,
      args: [id, id],
    })),
    endLinksOfOwner(id, 'removedAt IS NOT NULL', []),
  ]);
  return updated?.rowsAffected === 1;
}
