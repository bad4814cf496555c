import type { UserEntry } from '../harness/journal.ts';
import type { NameOf } from '../prompt/names.ts';
import type { RestoredRepository } from './schema.ts';
import type { Undo } from './undo-store.ts';

const SHOWN_FILES = 50;

/** What the run is told when it goes on: its memory and the files need not tell the same story any more. */
export function undoEntry(undo: Undo, files: readonly RestoredRepository[]): UserEntry {
  const lines = [`While you were paused, a person took back some of your work: ${scopeOf(undo)}.`];
  if (undo.what === 'conversation') {
    lines.push('The files stay as they are, and may hold changes that you do not remember. Read them first.');
  } else {
    lines.push(filesText(files));
    if (undo.what === 'files') lines.push('Read a file again before you change it.');
  }
  return { kind: 'user', cause: 'handback', text: lines.join('\n\n') };
}

/** For the people of the conversation, and for whoever reads it later. */
export function undoNotice(undo: Undo, files: readonly RestoredRepository[], nameOf: NameOf): string {
  const total = files.reduce((sum, one) => sum + one.total, 0);
  const changed = undo.what === 'conversation' ? '' : ` ${total} file(s) changed.`;
  const back = files.map(
    ({ checkpointId }) => `\`cctl runs undo ${undo.runId} --checkpoint ${checkpointId}\``,
  );
  const mend = total === 0 ? '' : ` To bring the files back: ${back.join(', ')}.`;
  return `${nameOf(undo.by)} took back work of run ${undo.runId}: ${scopeOf(undo)}.${changed}${mend}`;
}

function scopeOf({ what, turn, checkpointId }: Undo): string {
  const things = {
    files: 'the files',
    conversation: 'the conversation',
    both: 'the conversation and the files',
  };
  if (checkpointId !== undefined) return `${things[what]} are those of checkpoint ${checkpointId}`;
  const verb = what === 'conversation' ? 'stands' : 'stand';
  return `${things[what]} ${verb} where ${what === 'conversation' ? 'it was' : 'they were'} after turn ${turn}`;
}

function filesText(files: readonly RestoredRepository[]): string {
  const lines = files.flatMap(({ repository, changes }) =>
    changes.map(({ path, change }) => `- ${files.length > 1 ? `${repository}: ` : ''}${path} (${change})`),
  );
  if (lines.length === 0) return 'No file had changed since then.';
  const total = files.reduce((sum, one) => sum + one.total, 0);
  const shown = lines.slice(0, SHOWN_FILES);
  const rest = total > shown.length ? [`- and ${total - shown.length} more`] : [];
  return ['Files that are different now:', ...shown, ...rest].join('\n');
}
