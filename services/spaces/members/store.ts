import { eq, inArray } from 'drizzle-orm';
import type { Database } from '../../kit/database/database.ts';
import { type Member, members, tokens } from './schema.ts';

export async function findMember(control: Database, id: string): Promise<Member | null> {
  const rows = await control.orm.select().from(members).where(eq(members.id, id));
  return rows[0] ?? null;
}

/** Those that there are. */
export function findMembers(control: Database, ids: readonly string[]): Promise<Member[]> {
  return control.orm
    .select()
    .from(members)
    .where(inArray(members.id, [...ids]));
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
