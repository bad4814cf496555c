import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { locateOrchestration } from '../locate.ts';
import { onRemoteAction } from '../remote-action.ts';

export function addSteps(program: Command, cli: Cli): void {
  const steps = program.command('steps').description('decide over a step that failed or waits for a person');
  addOne(steps, cli, 'retry', 'run it again');
  addOne(steps, cli, 'skip', 'give it up; the rest goes on without it');
}

function addOne(steps: Command, cli: Cli, verb: 'retry' | 'skip', description: string): void {
  const command = steps
    .command(verb)
    .description(description)
    .argument('<id>', 'the orchestration or plan')
    .argument('<step>', 'key of the step');
  onRemoteAction(cli, command, async ({ client, options, args: [id = '', step = ''] }) => {
    const { workspaceId } = await locateOrchestration(client, options.workspace, id);
    const key = `steps/${crypto.randomUUID()}`;
    const call = verb === 'retry' ? client.retryStep : client.skipStep;
    const value = await call(workspaceId, id, step, key);
    return { value, text: verb === 'retry' ? `${step} runs again.` : `${step} is given up.` };
  });
}
