import type { Checkpoint, UndoResult } from '../../../services/runs/checkpoints/schema.ts';
import { plainLine } from '../plain-text.ts';
import { plural } from './amounts.ts';
import { table } from './table.ts';

const SHOWN_FILES = 20;

/** Oldest first. */
export function checkpointsTable(checkpoints: readonly Checkpoint[]): string {
  const columns = [
    { title: 'TURN', align: 'right' as const },
    { title: 'CHECKPOINT' },
    { title: 'REPOSITORY', max: 24 },
    { title: 'MADE' },
    { title: 'BEFORE', max: 40 },
    { title: 'NOTE', max: 60 },
  ];
  const rows = checkpoints.map((one) => [
    String(one.turn),
    one.commitId === null ? 'none' : one.id,
    one.repository,
    new Date(one.at).toISOString().slice(0, 19).replace('T', ' '),
    beforeText(one),
    plainLine(one.note ?? '', 60),
  ]);
  return table(columns, rows, 'No files were kept: this run changed none in a worktree.');
}

function beforeText({ undoId, tools, counts }: Checkpoint): string {
  const what = undoId === null ? tools.map((tool) => plainLine(tool, 40)).join(', ') : 'an undo';
  return counts ? what : `${what} (taken back)`;
}

/** What an undo changed, and how to take it back. */
export function undoText(
  { runId, files, conversation, alsoTakesBack, what }: UndoResult,
  isTakenOver: boolean,
): string {
  const lines = files.flatMap(({ repository, changes, total, left, checkpointId }) => [
    `${repository}: ${total === 0 ? 'no file differed.' : `${plural(total, 'file')} brought back.`}`,
    ...changes
      .slice(0, SHOWN_FILES)
      .map(({ path, change }) => `  ${change.padEnd(8)} ${plainLine(path, 200)}`),
    ...(total > SHOWN_FILES ? [`  and ${total - SHOWN_FILES} more`] : []),
    ...left.slice(0, SHOWN_FILES).map((path) => `  kept     ${plainLine(path, 200)} (no snapshot has it)`),
    ...(total === 0 ? [] : [`  To undo this: cctl runs undo ${runId} --checkpoint ${checkpointId}`]),
  ]);
  if (files.length === 0 && what !== 'conversation') lines.push('No file has changed since then.');
  if (conversation === 'rewound')
    lines.push(
      `The conversation is back where it was then. Let the run go on with\n  cctl runs ${isTakenOver ? 'handback' : 'resume'} ${runId}`,
    );
  if (conversation === 'forgotten') lines.push('Later runs are not told of this run and what it was asked.');
  if (alsoTakesBack.length > 0)
    lines.push(
      `Changes of other runs went along: ${alsoTakesBack.map((id) => plainLine(id, 80)).join(', ')}.`,
    );
  return lines.join('\n');
}
