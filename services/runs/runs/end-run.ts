import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import { hasReadAll } from '../steering/store.ts';
import { endedData, runEvent, runOfRow } from './run.ts';
import type { RunRow } from './schema.ts';
import { treeCostMicros } from './tree.ts';

/**
 * The statements that end a run where the condition holds, the first of which tells whether it did; none is completed while
 * there is something that it was told and has not read. With it go its event, what it had reserved, and the parent that
 * waits for it, which is queued in the same commit and so exactly once.
 */
export async function endStatements(
  database: Database,
  row: RunRow,
  outcome: HarnessOutcome,
  at: number,
  condition: Statement,
): Promise<Statement[]> {
  const { liveness, errorFamily, summary, output } = outcome;
  const status = outcome.status as 'completed' | 'failed' | 'cancelled';
  const run = { ...runOfRow(row), status, liveness, errorFamily, summary, output };
  const data = endedData(run, at, await treeCostMicros(database, row.id));
  // A run that came to its end goes on when somebody has told it something meanwhile.
  const unlessTold = status === 'completed' ? hasReadAll(row.id) : { sql: '1', args: [] };
  return [
    {
      sql: `UPDATE runs SET phase = 'ended', status = ?, liveness = ?, errorFamily = ?, summary = ?, output = ?,
        waitingFor = NULL, resumeAt = NULL, takenOverBy = NULL, endedAt = ?
        WHERE ${condition.sql} AND id = ? AND ${unlessTold.sql}`,
      args: [
        ...[status, liveness, errorFamily, summary, output && JSON.stringify(output), at],
        ...[...condition.args, row.id, ...unlessTold.args],
      ],
    },
    eventIfChanged(runEvent(row, 'run.ended', at, data)),
    { sql: `DELETE FROM reservations WHERE runId = ? AND ${HAS_ENDED}`, args: [row.id, row.id] },
    {
      sql: `UPDATE runs SET phase = 'queued', waitingFor = NULL, liveness = 'progressing', parkedAt = NULL
        WHERE phase = 'waiting' AND waitingFor = ? AND ${HAS_ENDED}`,
      args: [row.id, row.id],
    },
  ];
}

const HAS_ENDED = `EXISTS (SELECT 1 FROM runs WHERE id = ? AND phase = 'ended')`;
