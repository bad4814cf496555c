import type { Clock } from '../../kit/clock.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import type { Wakes } from '../../kit/wakes.ts';
import type { Admission } from '../harness/journal.ts';
import { type Holding, holds, lostHold } from '../runs/holding.ts';
import { releaseStatement, reserveStatements } from './reservations.ts';
import type { BudgetStop, Scope } from './schema.ts';
import { type CountedRun, scopesOf } from './scopes.ts';
import { announceStatements, type SpentCall, spendStatement } from './settling.ts';
import { readStates, type ScopeState } from './states.ts';
import { nearlyUsed, priceUnknown, usedUp } from './wording.ts';

export interface RunBudgetOptions extends Holding, CountedRun {
  workspaceId: string;
  conversationId: string | null;
  agentName: string;
  /** Id of the model that the run asks. */
  model: string;
  /** Opened anew for each use: an idle handle may be closed between two. */
  open(): Promise<Database>;
  clock: Clock;
  wakes: Wakes;
  /** Ends a wait for money that other runs hold. */
  signal: AbortSignal;
  /** Called before each look whether the call may be made; throws to stop the run there. */
  beforeCall(): void;
  beforeWrite(): void;
}

/** What one run may spend. */
export interface RunBudget {
  /**
   * Reserves the most the next call can cost in every budget of the run that has a cap, all or none, in place of what it
   * held; waits while the room it needs is held for other calls. Null: the price is unknown.
   * @param wasTold whether the run has been told this before
   */
  reserve(upperBoundMicros: number | null, wasTold: (text: string) => boolean): Promise<Admission>;
  /**
   * Counts a call's cost in each of the run's budgets and gives back what was reserved for it. The first of the statements
   * looks whether the one before it in the batch changed a row.
   */
  settle(costMicros: number | null, at: number): Statement[];
}

const RESERVATION_POLL_MS = 1_000;

/** The call that was let through last. */
interface Admitted {
  scopes: readonly Scope[];
  boundMicros: number | null;
  isCapped: boolean;
}

export function createRunBudget(options: RunBudgetOptions): RunBudget {
  let last: Admitted | null = null;
  return {
    async reserve(upperBoundMicros, wasTold) {
      while (!options.signal.aborted) {
        options.beforeCall();
        options.beforeWrite();
        const woken = options.wakes.wait(options.workspaceId, RESERVATION_POLL_MS, options.signal);
        const tried = await tryReserve(options, upperBoundMicros, wasTold);
        if (tried) {
          last = tried.admitted;
          return tried.admission;
        }
        // Money held by calls in flight comes back when they are answered, mostly less than was held.
        await woken;
      }
      throw new Fault('cancelled', `Run ${options.runId} was stopped while it waited for its budget.`);
    },
    settle(costMicros, at) {
      // A call is counted in the month in which it began.
      const scopes = last?.scopes ?? scopesOf(options, at);
      const call: SpentCall = { ...options, scopes, costMicros, boundMicros: last?.boundMicros ?? null };
      const counted = spendStatement(call, at);
      if (!last?.isCapped) return [counted];
      return [counted, releaseStatement(options), ...announceStatements(call, at)];
    },
  };
}

/** Null: it does not fit now, and may when other runs have settled. */
async function tryReserve(
  options: RunBudgetOptions,
  boundMicros: number | null,
  wasTold: (text: string) => boolean,
): Promise<{ admission: Admission; admitted: Admitted | null } | null> {
  const database = await options.open();
  const scopes = scopesOf(options, options.clock());
  const states = await readStates(database, scopes, options.runId, boundMicros ?? 0);
  const capped = states.filter(({ capMicros }) => capMicros !== null);
  const stop = stopOf(capped, boundMicros);
  if (stop) return { admission: await refuse(database, options, stop), admitted: null };
  const isReserved =
    capped.length === 0 || capped.some(({ fits }) => !fits)
      ? await releaseUnneeded(database, options, states, capped.length === 0)
      : await commitReservation(database, options, scopes, boundMicros ?? 0);
  if (!isReserved) return null;
  const wrapUp = noteOf(capped, options.agentName, wasTold);
  const admitted = { scopes, boundMicros, isCapped: capped.length > 0 };
  return { admission: { admitted: true, wrapUp }, admitted };
}

function stopOf(
  capped: readonly ScopeState[],
  boundMicros: number | null,
): { state: ScopeState; reason: BudgetStop['reason'] } | null {
  const usedUpState = capped.find(({ isUsedUp }) => isUsedUp);
  const [first] = capped;
  if (first && boundMicros === null) return { state: first, reason: 'price_unknown' };
  return usedUpState ? { state: usedUpState, reason: 'cap' } : null;
}

/** Keeps at the run which budget stops it, so that raising it lets the run go on. */
async function refuse(
  database: Database,
  options: RunBudgetOptions,
  { state, reason }: { state: ScopeState; reason: BudgetStop['reason'] },
): Promise<Admission> {
  const { scope, target, fallback } = state;
  const stop: BudgetStop = { scope, target, fallback, reason };
  const fence = holds(options);
  const [kept] = await database.write('run.budgetStop', [
    {
      sql: `UPDATE runs SET budgetStop = ? WHERE id = ? AND ${fence.sql}`,
      args: [JSON.stringify(stop), options.runId, ...fence.args],
    },
  ]);
  if (kept?.rowsAffected !== 1) throw lostHold(options.runId);
  const { agentName, model } = options;
  const message = reason === 'cap' ? usedUp(state, agentName) : priceUnknown(state, agentName, model);
  return { admitted: false, reason, message };
}

/**
 * Two runs that wait for each other's money would wait for ever, so a run that waits holds none. True when the call needs no
 * reservation.
 */
async function releaseUnneeded(
  database: Database,
  options: RunBudgetOptions,
  states: readonly ScopeState[],
  isFree: boolean,
): Promise<boolean> {
  if (states.some(({ ownMicros }) => ownMicros > 0))
    await database.write('run.release', [releaseStatement(options)]);
  return isFree;
}

/** False when others were faster. @throws Fault conflict when the run is no longer held */
async function commitReservation(
  database: Database,
  options: RunBudgetOptions,
  scopes: readonly Scope[],
  amountMicros: number,
): Promise<boolean> {
  const fence = holds(options);
  const [, reserved, held] = await database.write('run.reserve', [
    ...reserveStatements(options, scopes, amountMicros, options.clock()),
    { sql: `SELECT ${fence.sql} AS held`, args: fence.args },
  ]);
  if (Number(held?.rows[0]?.held) !== 1) throw lostHold(options.runId);
  return (reserved?.rowsAffected ?? 0) > 0;
}

/** What is to be said of each budget once for a cap. */
function noteOf(
  capped: readonly ScopeState[],
  agentName: string,
  wasTold: (text: string) => boolean,
): string | null {
  const news = capped
    .filter(({ isNearlyUsed }) => isNearlyUsed)
    .map((state) => nearlyUsed(state, agentName))
    .filter((text) => !wasTold(text));
  return news.length === 0 ? null : news.join(' ');
}
