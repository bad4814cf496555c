import type { Command } from 'commander';
import type { Cli } from '../command.ts';
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
    const value = await client.createWorkspace(name, `workspace/${crypto.randomUUID()}`);
    return { value, text: `Made the workspace ${plainLine(value.name, 80)} (${value.id}).` };
  });
}
