import type { Database } from '../../kit/database/database.ts';
import { readEntries } from '../entries/store.ts';
import { type Steps, stepsOf } from './steps.ts';
import { type Mark, turnsOf } from './turns.ts';

export interface StepsPage extends Steps {
  /** Answers of the whole run. */
  turns: number;
  /** The cursor of the next page. */
  next: string | null;
}

export interface PageQuery {
  runId: string;
  /** Number of the last entry of the page before. */
  after: number;
  /** Answers of a page. */
  limit: number;
  maxChars: number;
}

/** A page of a run's steps: whole ones, each with the results of its calls. */
export async function readSteps(
  database: Database,
  { runId, after, limit, maxChars }: PageQuery,
): Promise<StepsPage> {
  const turns = turnsOf(await readMarks(database, runId));
  const following = turns.filter(({ seq }) => seq > after)[limit];
  // Entries are numbered without a gap.
  const count = following ? following.seq - 1 - after : undefined;
  const entries = await readEntries(database, runId, after, count);
  const steps = stepsOf(entries, new Map(turns.map((turn) => [turn.seq, turn])), maxChars);
  return { ...steps, turns: turns.length, next: following ? String(following.seq - 1) : null };
}

async function readMarks(database: Database, runId: string): Promise<Mark[]> {
  const rows = await database.read({
    sql: `SELECT seq, kind, CASE kind WHEN 'answer' THEN NULL ELSE json_extract(entry, '$.turns') END AS turns
      FROM runEntries WHERE runId = ? AND kind IN ('answer', 'compaction', 'rewind') ORDER BY seq`,
    args: [runId],
  });
  return rows.map(({ seq, kind, turns }) => ({
    seq: Number(seq),
    kind: kind as Mark['kind'],
    turns: turns === null ? null : Number(turns),
  }));
}
