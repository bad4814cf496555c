import type { Database, Statement } from '../../kit/database/database.ts';
import type { Entry } from '../harness/journal.ts';
import { type Holding, holds } from '../runs/holding.ts';
import type { LoggedEntry } from './schema.ts';

/** A run's entries in commit order. */
export async function readEntries(
  database: Database,
  runId: string,
  afterSeq = 0,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<LoggedEntry[]> {
  const rows = await database.read({
    sql: 'SELECT seq, at, entry FROM runEntries WHERE runId = ? AND seq > ? ORDER BY seq LIMIT ?',
    args: [runId, afterSeq, limit],
  });
  return rows.map((row) => ({
    seq: Number(row.seq),
    at: Number(row.at),
    entry: JSON.parse(String(row.entry)) as Entry,
  }));
}

/** The next entry of a run that is held; an answer that is there already is not added again. */
export function insertEntry(holding: Holding, entry: Entry, at: number): Statement {
  return insertEntryWhere(holding.runId, entry, at, holds(holding));
}

/** The next entry of a run where the condition holds: for a run that nobody holds, and that cannot be taken meanwhile. */
export function insertEntryWhere(runId: string, entry: Entry, at: number, condition: Statement): Statement {
  const messageId = 'messageId' in entry ? entry.messageId : null;
  return {
    sql: `INSERT INTO runEntries (runId, seq, kind, messageId, entry, at)
      SELECT ?, (SELECT coalesce(max(seq), 0) + 1 FROM runEntries WHERE runId = ?), ?, ?, ?, ?
      WHERE ${condition.sql} AND NOT EXISTS (SELECT 1 FROM runEntries WHERE runId = ? AND messageId = ?)`,
    args: [
      ...[runId, runId, entry.kind, messageId, JSON.stringify(entry), at],
      ...[...condition.args, runId, messageId],
    ],
  };
}
