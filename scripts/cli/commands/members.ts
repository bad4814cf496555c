import { type Command, Option } from 'commander';
import type { NewMember } from '../../../services/spaces/members/schema.ts';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { memberOf } from '../member-id.ts';
import { plainLine } from '../plain-text.ts';
import { onServerAction, type ServerOptions } from '../remote-action.ts';
import { table } from '../render/table.ts';

const ROLES = ['owner', 'operator', 'viewer'] as const satisfies readonly NewMember['role'][];

interface AddOptions extends ServerOptions {
  role: NewMember['role'];
}

export function addMembers(program: Command, cli: Cli): void {
  const members = program
    .command('members')
    .description('the people of this server: list them, add or remove one');
  const list = members
    .command('list', { isDefault: true })
    .description('list who there is, with their roles');
  onServerAction(cli, list, async ({ client }) => {
    const items = await client.members();
    const rows = items.map(({ id, name, role, createdAt }) => [
      ...[id, plainLine(name, 60), role],
      new Date(createdAt).toISOString().slice(0, 10),
    ]);
    const columns = ['ID', 'NAME', 'ROLE', 'SINCE'].map((title) => ({ title }));
    return { value: { items }, text: table(columns, rows, 'No members yet.') };
  });
  const add = members
    .command('add')
    .description('add somebody; owners do that')
    .argument('<name>', 'what people see')
    .addOption(
      new Option('--role <role>', 'owner: everything; operator: work and decide; viewer: look on')
        .choices(ROLES)
        .makeOptionMandatory(),
    );
  onServerAction<AddOptions>(cli, add, async ({ client, options: { role }, args: [name = ''] }) => {
    if (name.trim() === '') throw usageError('The name is empty: say what the member is called.');
    const value = await client.addMember({ name, role }, `member/${crypto.randomUUID()}`);
    const way = `Their way in, which works once: cctl sign-in --member ${value.id}`;
    return { value, text: `Added ${plainLine(value.name, 80)} (${value.id}) as ${role}.\n${way}` };
  });
  const remove = members
    .command('remove')
    .description('remove somebody; owners do that, and everybody may go by themselves')
    .argument('<member>', 'name or id');
  onServerAction(cli, remove, async ({ client, args: [nameOrId = ''] }) => {
    const { id, name } = await memberOf(client, nameOrId);
    await client.removeMember(id);
    const what = 'Their links, browsers and tokens open nothing any more; what they wrote and started stays.';
    return { value: { id }, text: `Removed ${plainLine(name, 80)} (${id}).\n${what}` };
  });
}
