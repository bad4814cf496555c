import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { locateOrchestration } from '../locate.ts';
import { onRemoteAction, type RemoteOptions } from '../remote-action.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options extends RemoteOptions {
  reason: string;
  revision?: string;
}

export function addRequestChanges(program: Command, cli: Cli): void {
  const command = program
    .command('request-changes')
    .description('send a proposal or a plan back to its agent for another revision')
    .argument('<id>', 'the orchestration or plan')
    .requiredOption('--reason <text>', 'what is to be changed (required)')
    .option('--revision <n>', 'the revision that was read (default: the present one)');
  onRemoteAction<Options>(cli, command, async ({ client, options, args: [id = ''] }) => {
    if (options.reason.trim() === '') throw usageError('Say what is to be changed with --reason TEXT.');
    const given =
      options.revision === undefined ? null : wholeNumber(options.revision, '--revision', 1, 1_000_000);
    const { workspaceId, found } = await locateOrchestration(client, options.workspace, id);
    const revision = given ?? found.revision;
    const body = { reason: options.reason, revision };
    const value = await client.requestChanges(workspaceId, id, body, `changes/${id}/${revision}`);
    return { value, text: `Revision ${revision} of ${id} went back; its agent makes another.` };
  });
}
