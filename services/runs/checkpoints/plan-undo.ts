import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { RunRow } from '../runs/schema.ts';
import { checkpointsAt, nothingKept } from './files-at.ts';
import type { UndoRequest } from './schema.ts';
import { type CheckpointRow, findCheckpoint } from './store.ts';
import { readTimeline } from './timeline.ts';
import type { Undo } from './undo-store.ts';

/**
 * What an undo would do, with nothing done yet.
 * @throws Fault wrong_status (something is at work, or a person holds it), invalid_request (no such turn), not_found (no such
 *   checkpoint), cannot_undo; each says what to do
 */
export async function planUndo(
  database: Database,
  row: RunRow,
  request: UndoRequest,
  by: Actor,
  at: number,
): Promise<Undo> {
  await checkAtRest(database, row, by);
  const talk = request.what === 'files' ? null : await talkOf(database, row, request.turn ?? 0);
  const targets = request.what === 'conversation' ? [] : await targetsOf(database, row, request);
  const { id, conversationId } = row;
  return { id: newId('und', at), runId: id, conversationId, ...request, talk, targets, by, at };
}

/** @throws Fault wrong_status */
export async function checkAtRest(database: Database, row: RunRow, by: Actor): Promise<void> {
  if (row.phase !== 'paused' && row.phase !== 'ended') {
    const state = row.phase === 'live' ? 'at work' : row.phase;
    throw busy(`Run ${row.id} is ${state}; pause it or cancel it, then undo.`);
  }
  const [other] = await database.read({
    sql: `SELECT id, takenOverBy FROM runs WHERE conversationId = ? AND phase <> 'ended'
      AND (phase = 'live' OR (takenOverBy IS NOT NULL AND takenOverBy <> ?)) LIMIT 1`,
    args: [row.conversationId, by],
  });
  if (!other) return;
  throw busy(
    other.takenOverBy === null
      ? `Run ${other.id} is at work in the same conversation; pause it or wait for its end, then undo.`
      : `${other.takenOverBy} has taken over run ${other.id} of this conversation; undo once it is handed back.`,
  );
}

function busy(message: string): Fault {
  return new Fault('wrong_status', message);
}

async function talkOf(database: Database, row: RunRow, turn: number): Promise<'rewind' | 'forget'> {
  if (row.phase === 'ended') return forget(row, turn);
  const counting = (await readTimeline(database, row.id)).filter(({ counts }) => counts);
  checkTurn(row, turn, counting.length);
  const below = await database.read({
    sql: `SELECT id FROM runs WHERE parentRunId = ? AND phase <> 'ended' ORDER BY id`,
    args: [row.id],
  });
  if (below.length === 0) return 'rewind';
  const ids = below.map(({ id }) => id).join(', ');
  throw busy(`Run ${row.id} has sub-agents that have not ended (${ids}); cancel them, then undo.`);
}

function forget({ id, parentRunId, conversationId }: RunRow, turn: number): 'forget' {
  if (conversationId === null || parentRunId !== null) {
    const why = parentRunId === null ? 'it belongs to none' : `what it came to stands in run ${parentRunId}`;
    throw cannot(`The conversation of run ${id} cannot be taken back: ${why}.`);
  }
  if (turn === 0) return 'forget';
  throw cannot(
    `Run ${id} has ended, so its conversation can only be taken back whole, to turn 0 (--turn 0); or undo its files alone (--files).`,
  );
}

function cannot(message: string): Fault {
  return new Fault('cannot_undo', message);
}

function checkTurn({ id }: RunRow, turn: number, most: number): void {
  if (turn <= most) return;
  throw new Fault('invalid_request', `Run ${id} has ${most} turn(s) that count; there is no turn ${turn}.`);
}

async function targetsOf(
  database: Database,
  row: RunRow,
  { turn = 0, checkpointId }: UndoRequest,
): Promise<Undo['targets']> {
  if (checkpointId !== undefined) {
    const kept = await chosen(database, row, checkpointId);
    return [targetOf(row, kept.turn, kept)];
  }
  const timeline = await readTimeline(database, row.id);
  checkTurn(row, turn, timeline.filter(({ counts }) => counts).length);
  const rows = await checkpointsAt(database, row, timeline, turn);
  return rows.map((kept) => targetOf(row, turn, kept));
}

async function chosen(database: Database, row: RunRow, id: string): Promise<CheckpointRow> {
  const found = await findCheckpoint(database, row.id, id);
  if (found !== null) return found;
  throw new Fault('not_found', `Run ${row.id} has no checkpoint ${JSON.stringify(id)}.`);
}

function targetOf(
  row: RunRow,
  turn: number,
  { repository, commitId, note, at }: CheckpointRow,
): Undo['targets'][number] {
  if (commitId !== null) return { repository, commitId, at };
  throw nothingKept(row, turn, note ?? 'no snapshot could be made');
}
