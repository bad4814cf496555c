import type { Command } from 'commander';
import type { Run, RunStatus } from '../../../services/runs/runs/schema.ts';
import type { Cli } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-status.ts';
import { chosenWorkspaces } from '../locate.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { type ListedRun, runsTable } from '../render/run-text.ts';
import { addRunsControl } from './runs-control.ts';
import { addRunsShow, locateRun } from './runs-show.ts';
import { addRunsUndo } from './runs-undo.ts';

const ENDED = new Set<RunStatus>(['completed', 'failed', 'cancelled']);

export function addRuns(program: Command, cli: Cli): void {
  const runs = program.command('runs').description('list runs, look into one, let one go on or stop it');
  onRemoteAction(
    cli,
    runs.command('list', { isDefault: true }).description('list runs, newest first'),
    listRuns,
  );
  addRunsShow(runs, cli);
  addRunsControl(runs, cli);
  addRunsUndo(runs, cli);
  addOne(runs, cli, 'resume', 'let a paused run go on', async ({ client, options, args: [id = ''] }) => {
    const { workspaceId, found } = await locateRun(client, options.workspace, id);
    const value = await client.resumeRun(workspaceId, id, `resume/${id}/${found.summary}`);
    // A cap that is still used up stops it again before its next call.
    const until = found.errorFamily === 'budget' ? ', as far as its budgets have room' : '';
    return { value, text: `The run ${id} goes on${until}.` };
  });
  addOne(runs, cli, 'cancel', 'stop a run', async ({ client, options, args: [id = ''] }) => {
    const { workspaceId, found } = await locateRun(client, options.workspace, id);
    if (ENDED.has(found.status)) throw endedBefore(found);
    const value = await client.cancelRun(workspaceId, id, `cancel/${id}`);
    return { value, text: `Cancelled the run ${id}.` };
  });
}

function addOne(
  runs: Command,
  cli: Cli,
  name: string,
  description: string,
  work: Parameters<typeof onRemoteAction<RemoteOptions>>[2],
): void {
  onRemoteAction(cli, runs.command(name).description(description).argument('<id>', 'the run'), work);
}

function endedBefore({ id, status }: Run): CommandError {
  const message = `Run ${id} is ${status}; there is nothing left to cancel.`;
  return new CommandError(EXIT.failed, 'wrong_status', message, { status });
}

type Call = RemoteCall<RemoteOptions>;

async function listRuns({ client, options }: Call) {
  const items: ListedRun[] = [];
  for (const { id, name } of await chosenWorkspaces(client, options.workspace)) {
    const runs = await client.runs(id, {});
    items.push(...runs.map((run) => ({ ...run, workspace: name })));
  }
  items.sort((a, b) => b.createdAt - a.createdAt);
  return { value: { items }, text: runsTable(items, Date.now()) };
}
