import type { Command } from 'commander';
import type { Cli } from '../command.ts';
import { CommandError, usageError } from '../command-error.ts';
import { EXIT } from '../exit-status.ts';
import { plainText } from '../plain-text.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { locateRun } from './runs-show.ts';

/** Looks for the end of a call in flight this often; each look waits on the server by itself. */
const MOST_LOOKS = 30;

interface HandbackOptions extends RemoteOptions {
  note?: string;
}

/** `cctl runs pause|steer|takeover|handback`. */
export function addRunsControl(runs: Command, cli: Cli): void {
  const one = (name: string, description: string) =>
    runs.command(name).description(description).argument('<id>', 'the run');
  onRemoteAction(cli, one('pause', 'stop a run, with its sub-agents, after the call it is making'), pause);
  onRemoteAction(
    cli,
    one('steer', 'tell something to a run at work').argument('<text>', 'what it is to read next'),
    steer,
  );
  onRemoteAction(cli, one('takeover', 'take the work of a run over, with its working trees'), takeOver);
  onRemoteAction<HandbackOptions>(
    cli,
    one('handback', 'give the work of a run back to its agent').option(
      '--note <text>',
      'what it reads first',
    ),
    handBack,
  );
}

type Call = RemoteCall<RemoteOptions>;

async function pause({ client, options, args: [id = ''] }: Call) {
  const { workspaceId } = await locateRun(client, options.workspace, id);
  const value = await client.pauseRun(workspaceId, id);
  const when = value.status === 'paused' ? 'is paused' : 'pauses after the call it is making';
  const verb = value.takenOverBy === null ? 'resume' : 'handback';
  return { value, text: `The run ${id} ${when}. Let it go on with\n  cctl runs ${verb} ${id}` };
}

async function steer({ client, options, args: [id = '', text = ''] }: Call) {
  if (text.trim() === '') throw usageError('The text is empty: say what the run is to read.');
  const { workspaceId } = await locateRun(client, options.workspace, id);
  const value = await client.steerRun(workspaceId, id, text, crypto.randomUUID());
  return { value, text: `The run ${value.runId} reads it before its next step.` };
}

async function takeOver({ client, options, args: [id = ''] }: Call) {
  const { workspaceId } = await locateRun(client, options.workspace, id);
  for (let look = 0; look < MOST_LOOKS; look++) {
    const value = await client.takeOverRun(workspaceId, id);
    if (value.state === 'held') return { value, text: heldText(value) };
  }
  const message = `Run ${id} is yours once the call it is making is over, which it was not in time. Ask again, or stop the run with \`cctl runs cancel ${id}\`.`;
  throw new CommandError(EXIT.failed, 'timeout', message);
}

function heldText({ run, worktrees }: Awaited<ReturnType<Call['client']['takeOverRun']>>): string {
  const trees = worktrees.map(
    ({ repository, path, branch }) =>
      `  ${plainText(repository)}: ${plainText(path)} (branch ${plainText(branch)})`,
  );
  return [
    `The work of run ${run.id} is yours; nothing of its conversation starts meanwhile.`,
    ...(trees.length === 0 ? ['It has no working tree.'] : trees),
    `Give it back with\n  cctl runs handback ${run.id} --note '…'`,
  ].join('\n');
}

async function handBack({ client, options, args: [id = ''] }: RemoteCall<HandbackOptions>) {
  const { workspaceId } = await locateRun(client, options.workspace, id);
  const value = await client.handBackRun(workspaceId, id, options.note ?? null);
  return { value, text: `The run ${value.id} goes on; its agent reads first what changed meanwhile.` };
}
