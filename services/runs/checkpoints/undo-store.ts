import type { Actor } from '../../kit/actor.ts';
import type { Database, Row, Statement } from '../../kit/database/database.ts';
import { eventIfChanged, type NewEvent } from '../../kit/database/event-log.ts';
import type { RewindEntry, UserEntry } from '../harness/journal.ts';
import type { UndoRequest } from './schema.ts';

/** What one undo is to do, as it was decided when it began. */
export interface Undo extends UndoRequest {
  id: string;
  runId: string;
  conversationId: string | null;
  /** The run's journal goes back; later prompts leave the run out; or neither. */
  talk: 'rewind' | 'forget' | null;
  /** What is brought back, and when that was kept. */
  targets: { repository: string; commitId: string; at: number }[];
  by: Actor;
  at: number;
}

/** Of the undo's run and conversation: nothing is at work that would be changed under its hands. */
const AT_REST = `EXISTS (SELECT 1 FROM runs r WHERE r.id = ? AND r.phase IN ('paused', 'ended'))
  AND NOT EXISTS (SELECT 1 FROM runs l WHERE l.conversationId = ? AND l.phase = 'live')`;

/** From here on nothing starts in the conversation until the undo has ended. False: something is at work, or taken back. */
export async function beginUndo(database: Database, undo: Undo): Promise<boolean> {
  const { id, runId, conversationId, turn, checkpointId, what, talk, targets, by, at } = undo;
  const facts = [turn ?? null, checkpointId ?? null, what, talk, JSON.stringify(targets), by, at];
  const [begun] = await database.write('undo.begin', [
    {
      sql: `INSERT INTO undos (id, runId, conversationId, turn, checkpointId, what, talk, targets, by, at)
        SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE ${AT_REST} ON CONFLICT DO NOTHING`,
      args: [id, runId, conversationId, ...facts, runId, conversationId],
    },
  ]);
  return begun?.rowsAffected === 1;
}

/** `entries` go to the run's journal where it has not ended. @returns how many did */
export async function endUndo(
  database: Database,
  { id, runId }: Undo,
  entries: readonly (RewindEntry | UserEntry)[],
  event: NewEvent,
): Promise<number> {
  const results = await database.write('undo.end', [
    ...entries.map((entry) => appendEntry(id, runId, entry, event.at)),
    { sql: 'UPDATE undos SET endedAt = ? WHERE id = ? AND endedAt IS NULL', args: [event.at, id] },
    eventIfChanged(event),
  ]);
  return results.slice(0, entries.length).filter(({ rowsAffected }) => rowsAffected === 1).length;
}

/** Nobody else writes the journal of a run that is not live, and none becomes live before the undo has ended. */
function appendEntry(undoId: string, runId: string, entry: RewindEntry | UserEntry, at: number): Statement {
  return {
    sql: `INSERT INTO runEntries (runId, seq, kind, messageId, entry, at)
      SELECT ?, (SELECT coalesce(max(seq), 0) + 1 FROM runEntries WHERE runId = ?), ?, NULL, ?, ?
      WHERE EXISTS (SELECT 1 FROM undos WHERE id = ? AND endedAt IS NULL)
        AND EXISTS (SELECT 1 FROM runs WHERE id = ? AND phase NOT IN ('live', 'ended'))`,
    args: [runId, runId, entry.kind, JSON.stringify(entry), at, undoId, runId],
  };
}

/** It will not succeed by being done again: what it held up goes on. */
export async function failUndo(
  database: Database,
  { id }: Undo,
  failure: string,
  event: NewEvent,
): Promise<void> {
  await database.write('undo.fail', [
    {
      sql: 'UPDATE undos SET endedAt = ?, failure = ? WHERE id = ? AND endedAt IS NULL',
      args: [event.at, failure, id],
    },
    eventIfChanged(event),
  ]);
}

/** The one that a run, or anything of its conversation, waits for. */
export async function unfinishedUndo(
  database: Database,
  { id, conversationId }: { id: string; conversationId: string | null },
): Promise<Undo | null> {
  const rows = await database.read({
    sql: 'SELECT * FROM undos WHERE endedAt IS NULL AND (runId = ? OR conversationId = ?) ORDER BY id LIMIT 1',
    args: [id, conversationId],
  });
  return rows[0] ? undoOfRow(rows[0]) : null;
}

export async function unfinishedUndos(database: Database): Promise<Undo[]> {
  const rows = await database.read({
    sql: 'SELECT * FROM undos WHERE endedAt IS NULL ORDER BY id',
    args: [],
  });
  return rows.map(undoOfRow);
}

/** Runs that people took out of the conversation, and the messages that those runs answered. */
export async function forgottenIn(
  database: Database,
  conversationId: string,
): Promise<{ runIds: Set<string>; messageIds: Set<string> }> {
  const rows = await database.read({
    sql: `SELECT r.id, CASE r.triggerKind WHEN 'userMessage' THEN r.triggerId END AS messageId
        FROM undos u JOIN runs r ON r.id = u.runId
        WHERE u.conversationId = ? AND u.talk = 'forget' AND u.endedAt IS NOT NULL AND u.failure IS NULL
      UNION
      SELECT u.runId, m.messageId FROM undos u JOIN runMessages m ON m.runId = u.runId AND m.takenAt IS NOT NULL
        WHERE u.conversationId = ? AND u.talk = 'forget' AND u.endedAt IS NOT NULL AND u.failure IS NULL`,
    args: [conversationId, conversationId],
  });
  const messageIds = rows.flatMap(({ messageId }) => (messageId === null ? [] : [String(messageId)]));
  return { runIds: new Set(rows.map(({ id }) => String(id))), messageIds: new Set(messageIds) };
}

function undoOfRow(row: Row): Undo {
  return {
    id: String(row.id),
    runId: String(row.runId),
    conversationId: row.conversationId === null ? null : String(row.conversationId),
    ...(row.turn === null ? {} : { turn: Number(row.turn) }),
    ...(row.checkpointId === null ? {} : { checkpointId: String(row.checkpointId) }),
    what: row.what as Undo['what'],
    talk: row.talk as Undo['talk'],
    targets: JSON.parse(String(row.targets)) as Undo['targets'],
    by: String(row.by) as Actor,
    at: Number(row.at),
  };
}
