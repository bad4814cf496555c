import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged, eventsOfRows } from '../../kit/database/event-log.ts';
import { GOES_ON, IS_FREE } from '../runs/pausing.ts';
import { toldOfRun } from '../runs/run.ts';
import { monthOf } from './scopes.ts';
import { capOf } from './states.ts';

export interface CapChange {
  target: string;
  /** Null takes it away. */
  capMicros: number | null;
  by: Actor;
  at: number;
}

/** Sets or takes away a cap; the runs that it stopped and that have room now go on, in the same commit and so once. */
export async function setCap(database: Database, { target, capMicros, by, at }: CapChange): Promise<void> {
  const event = eventIfChanged({ at, actor: by, type: 'budget.set', subject: target, data: { capMicros } });
  await database.write('budget.set', [
    capMicros === null ? clearStatement(target) : capStatement(target, capMicros, at),
    event,
    ...goOnStatements({ by, at, which: STOPPED_BY_TARGET, args: [target, target] }),
  ]);
}

const STOPPED_BY_TARGET = `(budgetStop ->> 'target' = ? OR budgetStop ->> 'fallback' = ?)`;

/** Changes nothing where the cap is the same. */
export function capStatement(target: string, capMicros: number, at: number): Statement {
  return {
    sql: `INSERT INTO budgetCaps (target, capMicros, setAt) VALUES (?, ?, ?)
      ON CONFLICT (target) DO UPDATE SET capMicros = excluded.capMicros, setAt = excluded.setAt
      WHERE capMicros <> excluded.capMicros`,
    args: [target, capMicros, at],
  };
}

/** The cap of a run's own, in the batch of its insert; none where that did not happen. */
export function capOfRun(
  { id, createdAt }: { id: string; createdAt: number },
  capMicros: number | null,
): Statement[] {
  if (capMicros === null) return [];
  return [
    {
      sql: `INSERT INTO budgetCaps (target, capMicros, setAt) SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM runs WHERE id = ?)`,
      args: [`run:${id}`, capMicros, createdAt, id],
    },
  ];
}

function clearStatement(target: string): Statement {
  return { sql: 'DELETE FROM budgetCaps WHERE target = ?', args: [target] };
}

/** Lets a run go on whose budget was raised while it came to its pause. False: it has no room, or is not paused. */
export async function goOnIfRoom(database: Database, runId: string, at: number): Promise<boolean> {
  const [, queued] = await database.write(
    'run.resume',
    goOnStatements({ by: 'service:runs', at, which: 'id = ?', args: [runId] }),
  );
  return queued?.rowsAffected === 1;
}

interface GoingOn {
  by: Actor;
  at: number;
  /** Condition that chooses among the stopped runs, and its arguments. */
  which: string;
  args: readonly unknown[];
}

/** Of a stop by the budget of a month, that of the month that is its argument. */
const SCOPE_NOW = `CASE WHEN budgetStop ->> 'scope' = budgetStop ->> 'target' THEN budgetStop ->> 'target'
  ELSE budgetStop ->> 'target' || '/' || ? END`;

const HAS_ROOM = `(SELECT CASE WHEN cap IS NULL THEN 1 WHEN budgetStop ->> 'reason' = 'price_unknown' THEN 0 ELSE used < cap END
  FROM (SELECT ${capOf(`budgetStop ->> 'target'`, `budgetStop ->> 'fallback'`)} AS cap,
    coalesce((SELECT spentMicros + unknownMicros FROM budgets WHERE scope = ${SCOPE_NOW}), 0) AS used))`;

/** The event of each run that goes on, and then the change, by the same condition: what a person paused or holds stays. */
function goOnStatements({ by, at, which, args: chosen }: GoingOn): Statement[] {
  const args = [...chosen, monthOf(at)];
  const stopped = `phase = 'paused' AND errorFamily = 'budget' AND budgetStop IS NOT NULL
    AND pauseRequestedAt IS NULL AND cancelRequested = 0 AND ${IS_FREE.sql} AND ${which} AND ${HAS_ROOM}`;
  const data = toldOfRun(`json_object('budget', budgetStop ->> 'scope')`);
  return [
    eventsOfRows(
      { at, actor: by, type: 'run.resumed' },
      { subject: 'id', data, from: `runs WHERE ${stopped}`, args },
    ),
    {
      sql: `UPDATE runs SET ${GOES_ON} WHERE ${stopped}`,
      args,
    },
  ];
}
