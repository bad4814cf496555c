import type { Command } from 'commander';
import { Fault } from '../../../services/kit/fault.ts';
import type { Cli } from '../command.ts';
import { chosenWorkspaces } from '../locate.ts';
import { onRemoteAction } from '../remote-action.ts';
import { modelsText } from '../render/models-text.ts';

export function addModels(program: Command, cli: Cli): void {
  const command = program
    .command('models')
    .description('the models that agents can use, with their window, effort, media and prices');
  onRemoteAction(cli, command, async ({ client, options, context }) => {
    // All workspaces of a server have the same.
    const [workspace] = await chosenWorkspaces(client, options.workspace);
    if (!workspace)
      throw new Fault(
        'not_found',
        'There is no workspace to ask in. Make one with `cctl workspace create NAME`.',
      );
    const value = await client.models(workspace.id);
    return { value, text: modelsText(value, context.terminal.paint) };
  });
}
