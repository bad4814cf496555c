import type { Database } from '../../kit/database/database.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import { findRow } from './store.ts';

const MINUTE_MS = 60_000;
/** Between a pause and the run's next try: the first, the second, … and the last for all that follow. */
export const RESUME_DELAYS_MS: readonly number[] = [1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE_MS);
/** A run in trouble for so long without an answer waits for a person. */
const TROUBLE_LIMIT_MS = 24 * 60 * MINUTE_MS;
/** A server that went down so often while a run was live, and came no step further, is not given that run again. */
export const MOST_CRASHES = 5;
/** From so many on it may be the run's own doing, so that it is tried without the others that may be at fault. */
const SUSPECT_CRASHES = 3;

const PASSING = new Set<HarnessOutcome['errorFamily']>(['overloaded', 'rateLimited', 'network']);

/** How a run that is about to be paused goes on by itself. */
export interface ResumePlan {
  resumeAt: number | null;
  resumeTries: number;
  troubleSince: number;
  troubleAnswers: number;
}

/** Null for an outcome that is no pause for trouble which passes. */
export async function planResume(
  database: Database,
  runId: string,
  { status, errorFamily }: HarnessOutcome,
  at: number,
  delaysMs: readonly number[],
): Promise<ResumePlan | null> {
  if (status !== 'paused' || !PASSING.has(errorFamily)) return null;
  const { troubleSince, troubleAnswers, resumeTries } = await findRow(database, runId);
  const answers = await countAnswers(database, runId);
  const isSame = troubleSince !== null && troubleAnswers === answers;
  const [since, tries] = isSame ? [troubleSince, resumeTries] : [at, 0];
  const resumeAt = at + (delaysMs[tries] ?? delaysMs.at(-1) ?? 0);
  return {
    resumeAt: resumeAt - since > TROUBLE_LIMIT_MS ? null : resumeAt,
    ...{ resumeTries: tries + 1, troubleSince: since, troubleAnswers: answers },
  };
}

/** Those of summaries too. */
async function countAnswers(database: Database, runId: string): Promise<number> {
  const sql = `SELECT count(*) AS answers FROM runEntries WHERE runId = ? AND kind IN ('answer', 'compaction')`;
  const [row] = await database.read({ sql, args: [runId] });
  return Number(row?.answers);
}

/** SQL: how many entries the journal of the run `alias` has. */
export function entriesOf(alias: string): string {
  return `(SELECT count(*) FROM runEntries e WHERE e.runId = ${alias}.id)`;
}

/** SQL: servers went down with the run `alias` again and again, and it has come no step further since. */
export function isSuspect(alias: string): string {
  return `(${alias}.crashes >= ${SUSPECT_CRASHES} AND ${alias}.crashEntries IS ${entriesOf(alias)})`;
}
