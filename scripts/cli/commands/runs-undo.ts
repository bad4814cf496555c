import type { Command } from 'commander';
import type { UndoRequest } from '../../../services/runs/checkpoints/schema.ts';
import type { Cli } from '../command.ts';
import { usageError } from '../command-error.ts';
import { onRemoteAction, type RemoteCall, type RemoteOptions } from '../remote-action.ts';
import { checkpointsTable, undoText } from '../render/checkpoint-text.ts';
import { wholeNumber } from '../whole-number.ts';
import { locateRun } from './runs-show.ts';

interface UndoOptions extends RemoteOptions {
  turn?: string;
  checkpoint?: string;
  files?: boolean;
  conversation?: boolean;
}

/** `cctl runs checkpoints` and `cctl runs undo`. */
export function addRunsUndo(runs: Command, cli: Cli): void {
  const list = runs
    .command('checkpoints')
    .description('the turns of a run whose files were kept')
    .argument('<id>', 'the run');
  onRemoteAction(cli, list, async ({ client, options, args: [id = ''] }) => {
    const { workspaceId } = await locateRun(client, options.workspace, id);
    const items = await client.checkpoints(workspaceId, id);
    return { value: { items }, text: checkpointsTable(items) };
  });
  const undo = runs
    .command('undo')
    .description(
      'take back what a paused or ended run did after a turn: its files, its conversation, or both',
    )
    .argument('<id>', 'the run')
    .option('--turn <n>', 'how many of its first turns stay; 0 for none')
    .option('--checkpoint <id>', 'bring the files of one checkpoint back instead')
    .option('--files', 'the files alone')
    .option('--conversation', 'the conversation alone');
  onRemoteAction<UndoOptions>(cli, undo, undoRun);
}

async function undoRun({ client, options, args: [id = ''] }: RemoteCall<UndoOptions>) {
  const request = requestOf(options);
  const { workspaceId, found } = await locateRun(client, options.workspace, id);
  const value = await client.undoRun(workspaceId, id, request);
  return { value, text: undoText(value, found.takenOverBy !== null) };
}

/** @throws CommandError usage */
function requestOf({ turn, checkpoint, files, conversation }: UndoOptions): UndoRequest {
  if ((turn === undefined) === (checkpoint === undefined))
    throw usageError('Give either --turn or --checkpoint; `cctl runs checkpoints <run>` lists both.');
  if (checkpoint !== undefined) {
    if (conversation) throw usageError('A checkpoint holds files alone: leave --conversation out.');
    return { checkpointId: checkpoint, what: 'files' };
  }
  if (files && conversation) throw usageError('Leave both --files and --conversation out to undo both.');
  const what = files ? 'files' : conversation ? 'conversation' : 'both';
  return { turn: wholeNumber(turn ?? '', '--turn', 0, 100_000), what };
}
