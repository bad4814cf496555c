import { Fault } from '../../services/kit/fault.ts';
import type { Member } from '../../services/spaces/members/schema.ts';
import type { Client } from './client/client.ts';

/** @throws Fault not_found, conflict for a name that several have */
export async function memberOf(client: Client, nameOrId: string): Promise<Member> {
  const members = await client.members();
  const same = members.filter(({ id, name }) => id === nameOrId || name === nameOrId);
  const [member] = same;
  if (!member)
    throw new Fault(
      'not_found',
      `There is no member ${JSON.stringify(nameOrId)}. List them with \`cctl members\`.`,
    );
  if (same.length === 1) return member;
  const ids = same.map(({ id }) => id).join(', ');
  throw new Fault('conflict', `Several members are called ${JSON.stringify(nameOrId)}: give one of ${ids}.`);
}

/** What to ask with for `--member`: for nobody, it is about whoever holds the token. */
export async function memberQuery(
  client: Client,
  member: string | undefined,
): Promise<{ memberId?: string }> {
  return member === undefined ? {} : { memberId: (await memberOf(client, member)).id };
}
