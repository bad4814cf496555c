import type { Database } from '../../kit/database/database.ts';
import { newId } from '../../kit/id.ts';
import type { RunsDeps } from '../deps.ts';
import type { RestoredRepository } from './schema.ts';
import { type CheckpointRow, checkpointsOfUndo, insertCheckpoint, runsSince } from './store.ts';
import { readTimeline } from './timeline.ts';
import type { Undo } from './undo-store.ts';

/**
 * Puts the files back that an undo is about, having kept those that are there now. Can be done again after a crash.
 * @throws Fault of the runner
 */
export async function restoreFiles(
  deps: RunsDeps,
  workspaceId: string,
  undo: Undo,
): Promise<RestoredRepository[]> {
  const present = await keepPresent(deps, workspaceId, undo);
  const restored: RestoredRepository[] = [];
  for (const { id, repository, commitId } of present) {
    const target = undo.targets.find((one) => one.repository === repository);
    if (!target || commitId === null) continue;
    const ref = { workspaceId, conversationId: String(undo.conversationId), repository };
    const input = { commit: target.commitId, before: commitId };
    restored.push({ repository, checkpointId: id, ...(await deps.runner.restoreSnapshot(ref, input)) });
  }
  return restored;
}

/** So that the undo can itself be undone; kept once, before the first file is touched. */
async function keepPresent(deps: RunsDeps, workspaceId: string, undo: Undo): Promise<CheckpointRow[]> {
  const database = await deps.databases.open(workspaceId);
  const known = await checkpointsOfUndo(database, undo.id);
  const missing = undo.targets.filter(({ repository }) =>
    known.every((one) => one.repository !== repository),
  );
  if (missing.length === 0) return known;
  const turn = (await readTimeline(database, undo.runId)).filter(({ counts }) => counts).length;
  const made: CheckpointRow[] = [];
  for (const { repository, commitId: restoring } of missing) {
    const conversationId = String(undo.conversationId);
    const ref = { workspaceId, conversationId, repository };
    const { commit, note } = await deps.runner.snapshot(ref, { restoring });
    const at = deps.clock();
    const kept = { id: newId('ckp', at), runId: undo.runId, conversationId, repository, turn, at };
    made.push({ ...kept, answerSeq: null, undoId: undo.id, commitId: commit, note });
  }
  await database.write('undo.keep', made.map(insertCheckpoint));
  return checkpointsOfUndo(database, undo.id);
}

/** Runs whose changes of files went along. */
export async function othersTakenBack(
  database: Database,
  { conversationId, runId, targets }: Undo,
): Promise<string[]> {
  if (conversationId === null || targets.length === 0) return [];
  return runsSince(database, { conversationId, runId, at: Math.min(...targets.map(({ at }) => at)) });
}
