import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { locateOrchestration } from '../locate.ts';
import { onRemoteAction } from '../remote-action.ts';

export function addCancel(program: Command, cli: Cli): void {
  const command = program
    .command('cancel')
    .description('cancel an orchestration or a plan and stop its runs')
    .argument('<id>', 'the orchestration or plan');
  onRemoteAction(cli, command, async ({ client, options, args: [id = ''] }) => {
    const { workspaceId } = await locateOrchestration(client, options.workspace, id);
    const value = await client.cancel(workspaceId, id, `cancel/${id}`);
    return { value, text: `Cancelled ${id}.` };
  });
}
