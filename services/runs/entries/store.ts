import type { Database } from '../../kit/database/database.ts';
import type { Entry } from '../harness/journal.ts';
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
