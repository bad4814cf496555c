import { capabilityProfile, MODES } from '../../../core-wasm/core.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { RunRow } from '../runs/schema.ts';
import { type CheckpointRow, checkpointsOfAnswer, checkpointsSince } from './store.ts';
import type { AnswerPlace } from './timeline.ts';

/** A moment in a conversation, as seen from one of its runs. */
interface Moment {
  runId: string;
  conversationId: string;
  at: number;
  /** Entries of the run itself up to this one came before. */
  seq: number;
}

const READ_ONLY = MODES.filter((mode) => capabilityProfile(mode).worktree === 'read-only');

/**
 * The checkpoints, one for each repository, that hold the files as they were after the run's first `turn` answers: what was
 * kept before the first change that came later, whichever run of the conversation made it. None: nothing has changed since.
 * @throws Fault cannot_undo when nothing was kept then
 */
export async function checkpointsAt(
  database: Database,
  row: RunRow,
  timeline: readonly AnswerPlace[],
  turn: number,
): Promise<CheckpointRow[]> {
  if (row.conversationId === null) return [];
  const moment = await momentAfter(database, row, timeline, turn);
  const change = await firstChange(database, moment);
  const kept = await checkpointsSince(database, moment.conversationId, moment.at);
  const [first] = kept.filter(
    ({ runId, answerSeq }) => runId !== row.id || answerSeq === null || answerSeq > moment.seq,
  );
  if (change === null || (first && first.at < change.at)) {
    return kept.filter((one) => first && isSameMoment(one, first));
  }
  const before = await checkpointsOfAnswer(database, change.runId, change.answerSeq);
  if (before.length === 0) throw nothingKept(row, turn, 'none was made before the change that followed');
  return before;
}

/** A checkpoint's answer is the one that follows the moment, so that its place in the journal is not before it. */
async function momentAfter(
  database: Database,
  row: RunRow,
  timeline: readonly AnswerPlace[],
  turn: number,
): Promise<Moment> {
  const next = timeline.filter(({ counts }) => counts)[turn];
  const moment = { runId: row.id, conversationId: String(row.conversationId) };
  if (next) return { ...moment, at: next.at, seq: next.seq - 1 };
  const [last] = await database.read({
    sql: 'SELECT seq, at FROM runEntries WHERE runId = ? ORDER BY seq DESC LIMIT 1',
    args: [row.id],
  });
  if (!last || timeline.length === 0) return { ...moment, at: row.startedAt ?? row.createdAt, seq: -1 };
  return { ...moment, at: Number(last.at) + 1, seq: Number(last.seq) };
}

/** The first call in the conversation that began later and may have changed files; reads are not told of. */
async function firstChange(
  database: Database,
  { runId, conversationId, at, seq }: Moment,
): Promise<{ runId: string; answerSeq: number; at: number } | null> {
  const [row] = await database.read({
    sql: `SELECT e.runId, e.at, (SELECT max(a.seq) FROM runEntries a
          WHERE a.runId = e.runId AND a.kind = 'answer' AND a.seq < e.seq) AS answerSeq
      FROM runEntries e JOIN runs r ON r.id = e.runId
      WHERE r.conversationId = ? AND r.mode NOT IN (${READ_ONLY.map(() => '?').join(', ')})
        AND e.kind = 'toolStarted' AND e.at >= ? AND (e.runId <> ? OR e.seq > ?)
      ORDER BY e.at, e.rowid LIMIT 1`,
    args: [conversationId, ...READ_ONLY, at, runId, seq],
  });
  if (!row) return null;
  return { runId: String(row.runId), answerSeq: Number(row.answerSeq), at: Number(row.at) };
}

function isSameMoment(one: CheckpointRow, other: CheckpointRow): boolean {
  return one.runId === other.runId && one.answerSeq === other.answerSeq && one.undoId === other.undoId;
}

export function nothingKept({ id }: Pick<RunRow, 'id'>, turn: number, why: string): Fault {
  return new Fault(
    'cannot_undo',
    `The files of run ${id} after ${turn} turn(s) were not kept: ${why}. Choose another turn: \`cctl runs checkpoints ${id}\`.`,
  );
}
