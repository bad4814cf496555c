import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { requirePersonsToken } from '../connect.ts';
import { locateOrchestration } from '../locate.ts';
import { onRemoteAction, type RemoteOptions } from '../remote-action.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options extends RemoteOptions {
  revision?: string;
}

export function addApprove(program: Command, cli: Cli): void {
  const command = program
    .command('approve')
    .description('approve a proposal or a plan, so that its work starts')
    .argument('<id>', 'the orchestration or plan')
    .option(
      '--revision <n>',
      'the revision that was read; a newer one is then refused (default: the present one)',
    );
  onRemoteAction<Options>(cli, command, async ({ client, options, args: [id = ''] }) => {
    const given =
      options.revision === undefined ? null : wholeNumber(options.revision, '--revision', 1, 1_000_000);
    await requirePersonsToken(client, 'Approving');
    const { workspaceId, found } = await locateOrchestration(client, options.workspace, id);
    const revision = given ?? found.revision;
    const value = await client.approve(workspaceId, id, revision, `approve/${id}/${revision}`);
    return { value, text: `Approved revision ${revision} of ${id}. Follow it with\n  cctl follow ${id}` };
  });
}
