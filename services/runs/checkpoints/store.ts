import type { Database, Row, Statement } from '../../kit/database/database.ts';
import type { Checkpoint } from './schema.ts';
import type { AnswerPlace } from './timeline.ts';

export interface CheckpointRow extends Omit<Checkpoint, 'tools' | 'counts'> {
  conversationId: string;
  answerSeq: number | null;
}

/** One that is there for the same answer, or the same undo, stays. */
export function insertCheckpoint(row: CheckpointRow): Statement {
  const { id, runId, conversationId, repository, turn, answerSeq, undoId, commitId, note, at } = row;
  return {
    sql: `INSERT INTO checkpoints (id, runId, conversationId, repository, turn, answerSeq, undoId, commitId, note, at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    args: [id, runId, conversationId, repository, turn, answerSeq, undoId, commitId, note, at],
  };
}

export function checkpointsOfAnswer(
  database: Database,
  runId: string,
  answerSeq: number,
): Promise<CheckpointRow[]> {
  return find(database, 'runId = ? AND answerSeq = ?', [runId, answerSeq]);
}

export function checkpointsOfUndo(database: Database, undoId: string): Promise<CheckpointRow[]> {
  return find(database, 'undoId = ?', [undoId]);
}

export async function findCheckpoint(
  database: Database,
  runId: string,
  id: string,
): Promise<CheckpointRow | null> {
  return (await find(database, 'runId = ? AND id = ?', [runId, id]))[0] ?? null;
}

/** Of the conversation, made then or later. */
export function checkpointsSince(
  database: Database,
  conversationId: string,
  at: number,
): Promise<CheckpointRow[]> {
  return find(database, 'conversationId = ? AND at >= ?', [conversationId, at]);
}

/** Runs of the conversation, but for `runId`, that were about to change files then or later. */
export async function runsSince(
  database: Database,
  { conversationId, at, runId }: Pick<CheckpointRow, 'conversationId' | 'at' | 'runId'>,
): Promise<string[]> {
  const rows = await database.read({
    sql: `SELECT DISTINCT runId FROM checkpoints WHERE conversationId = ? AND at >= ? AND answerSeq IS NOT NULL
      AND runId <> ? ORDER BY runId`,
    args: [conversationId, at, runId],
  });
  return rows.map((row) => String(row.runId));
}

/** In the order they were made. */
export async function listCheckpoints(
  database: Database,
  runId: string,
  timeline: readonly AnswerPlace[],
): Promise<Checkpoint[]> {
  const answers = new Map(timeline.map((answer) => [answer.seq, answer]));
  const rows = await find(database, 'runId = ?', [runId]);
  return rows.map(({ conversationId, answerSeq, ...row }) => {
    const answer = answerSeq === null ? undefined : answers.get(answerSeq);
    return { ...row, tools: answer?.tools ?? [], counts: answer?.counts ?? true };
  });
}

/** The snapshots went with the worktree. */
export function loseCheckpoints(conversationId: string, repository: string): Statement {
  return {
    sql: `UPDATE checkpoints SET commitId = NULL, note = 'The worktree was closed, and its snapshots with it.'
      WHERE conversationId = ? AND repository = ?`,
    args: [conversationId, repository],
  };
}

async function find(database: Database, where: string, args: readonly unknown[]): Promise<CheckpointRow[]> {
  const rows = await database.read({
    sql: `SELECT * FROM checkpoints WHERE ${where} ORDER BY at, id`,
    args,
  });
  return rows.map(checkpointOfRow);
}

function checkpointOfRow(row: Row): CheckpointRow {
  const text = (value: unknown) => (value === null ? null : String(value));
  return {
    id: String(row.id),
    runId: String(row.runId),
    conversationId: String(row.conversationId),
    repository: String(row.repository),
    turn: Number(row.turn),
    answerSeq: row.answerSeq === null ? null : Number(row.answerSeq),
    undoId: text(row.undoId),
    commitId: text(row.commitId),
    note: text(row.note),
    at: Number(row.at),
  };
}
