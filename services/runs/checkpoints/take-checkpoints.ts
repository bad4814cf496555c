import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { RunsDeps } from '../deps.ts';
import type { ToolPort } from '../harness/tool-port.ts';
import type { RunRow } from '../runs/schema.ts';
import type { Worktree } from '../worktrees/store.ts';
import { type CheckpointRow, checkpointsOfAnswer, insertCheckpoint } from './store.ts';
import { standOf } from './timeline.ts';
import { unfinishedUndo } from './undo-store.ts';

/** The same tools, before the first call of an answer that may change files keeping them as they are. */
export function withCheckpoints(port: ToolPort, checkpoint: () => Promise<void>): ToolPort {
  const reads = new Set(port.tools.filter(({ tier }) => tier === 'read').map(({ name }) => name));
  return {
    ...port,
    execute: async (call, signal) => {
      if (!reads.has(call.name)) await checkpoint();
      signal.throwIfAborted();
      return port.execute(call, signal);
    },
  };
}

/**
 * Keeps the files of a run's worktrees before the first change of each answer, once: calls that come at the same time wait
 * for it. What fails is logged and shown as missing; no call is held up by it. It throws Fault wrong_status during an undo.
 */
export function checkpointsOf(
  deps: RunsDeps,
  workspaceId: string,
  row: RunRow,
  worktrees: readonly Worktree[],
): () => Promise<void> {
  let tail: Promise<void> = Promise.resolve();
  let doneSeq = -1;
  const failures: Failures = new Map();
  const next = async () => {
    const database = await deps.databases.open(workspaceId);
    const stand = await standOf(database, row.id);
    if (stand.answerSeq === doneSeq) return;
    // Once only, whatever comes of it: a later one would hold what the answer's first calls did.
    doneSeq = stand.answerSeq;
    const known = await checkpointsOfAnswer(database, row.id, stand.answerSeq);
    const missing = worktrees.filter(({ repository }) => !known.some((one) => one.repository === repository));
    const made = await Promise.all(
      missing.map((worktree) => rowOf(deps, workspaceId, { ...stand, runId: row.id, worktree }, failures)),
    );
    if (made.length > 0)
      await (await deps.databases.open(workspaceId)).write('checkpoint.take', made.map(insertCheckpoint));
  };
  return async () => {
    await refuseMeanwhile(deps, workspaceId, row);
    tail = tail
      .then(next)
      .catch((error: unknown) =>
        deps.log.warn({ err: error, runId: row.id }, 'the files could not be kept before a call'),
      );
    await tail;
  };
}

/** No loop runs during an undo, but a client with the run's token may call at any time. */
async function refuseMeanwhile(deps: RunsDeps, workspaceId: string, row: RunRow): Promise<void> {
  const database = await deps.databases.open(workspaceId);
  if ((await unfinishedUndo(database, row)) === null) return;
  const message =
    'A person takes work of this conversation back at this moment; call again once that is done.';
  throw new Fault('wrong_status', message);
}

/** By repository: why no snapshot could be made, and until when none is tried. */
type Failures = Map<string, { why: string; until: number }>;

/** What failed rests for so many times as long as it took, so that a run spends but a small part of its time on it. */
const REST = 10;

interface Moment {
  runId: string;
  turn: number;
  answerSeq: number;
  worktree: Worktree;
}

async function rowOf(
  deps: RunsDeps,
  workspaceId: string,
  { runId, turn, answerSeq, worktree }: Moment,
  failures: Failures,
): Promise<CheckpointRow> {
  const { conversationId, repository } = worktree;
  const at = deps.clock();
  const made = { id: newId('ckp', at), runId, conversationId, repository, turn, answerSeq, undoId: null, at };
  const failed = failures.get(repository);
  if (failed && performance.now() < failed.until)
    return withNone(made, `No snapshot was tried, since one failed shortly before: ${failed.why}`);
  const begun = performance.now();
  try {
    const { commit, note } = await deps.runner.snapshot({ workspaceId, conversationId, repository });
    return { ...made, commitId: commit, note };
  } catch (error) {
    deps.log.warn({ err: error, runId, repository }, 'the files could not be kept before a call');
    const why = error instanceof Error ? error.message : String(error);
    const now = performance.now();
    failures.set(repository, { why, until: now + (now - begun) * REST });
    return withNone(made, `No snapshot could be made: ${why}`);
  }
}

function withNone(made: Omit<CheckpointRow, 'commitId' | 'note'>, note: string): CheckpointRow {
  return { ...made, commitId: null, note: note.slice(0, 2_000).toWellFormed() };
}
