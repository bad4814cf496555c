import { asc, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import { MEMBER_COLUMNS, type Member, type MemberChange, members, tokens } from './schema.ts';

export async function findMember(control: Database, id: string): Promise<Member | null> {
  const rows = await control.orm.select(MEMBER_COLUMNS).from(members).where(eq(members.id, id));
  return rows[0] ?? null;
}

/** Those that there are. */
export function findMembers(control: Database, ids: readonly string[]): Promise<Member[]> {
  return control.orm
    .select(MEMBER_COLUMNS)
    .from(members)
    .where(inArray(members.id, [...ids]));
}

/** All, in the order in which they came. */
export function listMembers(control: Database): Promise<Member[]> {
  return control.orm.select(MEMBER_COLUMNS).from(members).orderBy(asc(members.createdAt), asc(members.id));
}

export async function findMemberByKey(control: Database, key: string): Promise<Member | null> {
  const rows = await control.orm.select(MEMBER_COLUMNS).from(members).where(eq(members.key, key));
  return rows[0] ?? null;
}

export async function hasOwner(control: Database): Promise<boolean> {
  const rows = await control.orm
    .select({ id: members.id })
    .from(members)
    .where(eq(members.role, 'owner'))
    .limit(1);
  return rows.length > 0;
}

/** The ids that no member has. */
export async function unknownMembers(control: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await control.orm
    .select({ id: members.id })
    .from(members)
    .where(inArray(members.id, [...ids]));
  const known = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}

export async function memberOfToken(control: Database, digest: string): Promise<string | null> {
  const rows = await control.orm
    .select({ memberId: tokens.memberId })
    .from(tokens)
    .where(eq(tokens.digest, digest));
  return rows[0]?.memberId ?? null;
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
            WHERE NOT EXISTS (SELECT 1 FROM members WHERE role = 'owner')`,
      args: [owner.id, owner.name, owner.role, owner.createdAt],
    },
    {
      sql: `INSERT INTO tokens (id, memberId, digest, name, createdAt) SELECT ?, ?, ?, ?, ? WHERE changes() > 0`,
      args: [token.id, owner.id, token.digest, token.name, owner.createdAt],
    },
  ]);
  return inserted?.rowsAffected === 1;
}

const IS_OWNER = "EXISTS (SELECT 1 FROM members WHERE id = ? AND role = 'owner')";

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
 * False when there is no such member, when it would leave nobody an owner, or when `ownerId` is no owner; null stands for
 * members who change their own name.
 */
export async function updateMember(
  control: Database,
  id: string,
  { name = null, role = null }: { [K in keyof MemberChange]: MemberChange[K] | null },
  ownerId: string | null,
): Promise<boolean> {
  const staysOwned = `(coalesce(?, role) = 'owner' OR role <> 'owner'
    OR (SELECT count(*) FROM members WHERE role = 'owner') > 1)`;
  const [updated] = await control.write('member.change', [
    {
      sql: `UPDATE members SET name = coalesce(?, name), role = coalesce(?, role)
            WHERE id = ? AND ${staysOwned} ${ownerId === null ? '' : `AND ${IS_OWNER}`}`,
      args: [name, role, id, role, ...(ownerId === null ? [] : [ownerId])],
    },
  ]);
  return updated?.rowsAffected === 1;
}
