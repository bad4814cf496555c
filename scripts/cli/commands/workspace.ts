import type { Command } from 'commander';
import { Fault } from '../../../services/kit/fault.ts';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { plainLine } from '../plain-text.ts';
import { onRemoteAction } from '../remote-action.ts';
import { table } from '../render/table.ts';

export function addWorkspace(program: Command, cli: Cli): void {
  const workspace = program.command('workspace').description('list workspaces or make one');
  onRemoteAction(cli, workspace.command('list').description('list workspaces'), async ({ client }) => {
    const items = await client.workspaces();
    const rows = items.map(({ id, name, state }) => [id, plainLine(name, 60), state]);
    const columns = ['ID', 'NAME', 'STATE'].map((title) => ({ title }));
    return { value: { items }, text: table(columns, rows, 'No workspaces yet.') };
  });
  const create = workspace.command('create').description('make a workspace').argument('<name>', 'its name');
  onRemoteAction(cli, create, async ({ client, args: [name = ''] }) => {
    if (name.trim() === '') throw usageError('The name is empty: say what the workspace is called.');
    const same = (await client.workspaces()).find((one) => one.name === name.trim());
    if (same) throw takenName(same);
    const value = await client.createWorkspace(name, `workspace/${crypto.randomUUID()}`);
    return { value, text: `Made the workspace ${plainLine(value.name, 80)} (${value.id}).` };
  });
}

/** Two of one name could only be told apart by their ids. */
function takenName({ id, name }: { id: string; name: string }): Fault {
  const message = `There is a workspace ${JSON.stringify(name)} already (${id}): use that one, or choose another name.`;
  return new Fault('conflict', message, { id });
}
