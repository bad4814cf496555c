import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { locateOrchestration } from '../locate.ts';
import { onRemoteAction, type RemoteOptions } from '../remote-action.ts';

interface Options extends RemoteOptions {
  reason: string;
}

export function addReject(program: Command, cli: Cli): void {
  const command = program
    .command('reject')
    .description('reject a proposal or a plan')
    .argument('<id>', 'the orchestration or plan')
    .requiredOption('--reason <text>', 'why, for the agent that proposed it (required)');
  onRemoteAction<Options>(cli, command, async ({ client, options, args: [id = ''] }) => {
    if (options.reason.trim() === '')
      throw usageError('Say why with --reason TEXT, for the agent that proposed it.');
    const { workspaceId } = await locateOrchestration(client, options.workspace, id);
    const value = await client.reject(workspaceId, id, options.reason, `reject/${id}`);
    return { value, text: `Rejected ${id}.` };
  });
}
