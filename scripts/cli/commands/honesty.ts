import type { Command } from 'commander';
import { Fault } from '../../../services/kit/fault.ts';
import type { Cli } from '../command.ts';
import { chosenWorkspaces } from '../locate.ts';
import { onRemoteAction } from '../remote-action.ts';
import { honestyText } from '../render/honesty-text.ts';

export function addHonesty(program: Command, cli: Cli): void {
  const command = program
    .command('honesty')
    .description("where the guarantees of modes really hold, by adapter, on the server's host");
  onRemoteAction(cli, command, async ({ client, options, context }) => {
    // It is a matter of the host: whichever workspace is asked says the same.
    const [workspace] = await chosenWorkspaces(client, options.workspace);
    if (!workspace)
      throw new Fault(
        'not_found',
        'There is no workspace to ask in. Make one with `cctl workspace create NAME`.',
      );
    const value = await client.honesty(workspace.id);
    return { value, text: honestyText(value, context.terminal.paint) };
  });
}
