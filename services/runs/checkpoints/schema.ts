import * as z from 'zod';
import type { RestoredFiles } from '../../runner/runner.ts';

/** `turn` takes back what followed the run's first so many answers; `checkpointId` brings back one checkpoint's files. */
export const UndoRequest = z
  .strictObject({
    turn: z.int().min(0).max(100_000).optional(),
    checkpointId: z.string().min(1).max(80).optional(),
    what: z.enum(['files', 'conversation', 'both']),
  })
  .refine(({ turn, checkpointId }) => (turn === undefined) !== (checkpointId === undefined), {
    message: 'Name either a turn or a checkpoint.',
  })
  .refine(({ checkpointId, what }) => checkpointId === undefined || what === 'files', {
    message: 'A checkpoint holds files alone: undo `files`.',
  });
export type UndoRequest = z.infer<typeof UndoRequest>;

/**
 * A worktree's files as they were after the run's first `turn` answers, before the calls of the next one changed anything;
 * with `undoId`, as they were before that undo. `commitId` is null where none could be made, or its worktree was closed:
 * `note` says so. It also names what a snapshot could not hold.
 */
export interface Checkpoint {
  id: string;
  runId: string;
  repository: string;
  turn: number;
  undoId: string | null;
  commitId: string | null;
  note: string | null;
  /** Of the answer it was made for: the tools whose calls began, and whether it still counts. */
  tools: string[];
  counts: boolean;
  at: number;
}

export interface RestoredRepository extends RestoredFiles {
  repository: string;
  /** The checkpoint with which this undo can itself be undone. */
  checkpointId: string;
}

export interface UndoResult {
  id: string;
  runId: string;
  what: UndoRequest['what'];
  /** Empty where nothing was changed since. */
  files: RestoredRepository[];
  /** The run's journal went back, later prompts leave the run out, or its conversation stayed as it is. */
  conversation: 'rewound' | 'forgotten' | 'unchanged';
  /** Other runs of the conversation whose changes of files were taken back along with this one's. */
  alsoTakesBack: string[];
}
