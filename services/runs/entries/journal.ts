import type { Clock } from '../../kit/clock.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import type { Wakes } from '../../kit/wakes.ts';
import {
  announceStatements,
  findBudget,
  isPastWarning,
  releaseStatement,
  reserveStatements,
  spendStatement,
} from '../budgets/store.ts';
import type { Admission, AnswerEntry, AppendLabel, Entry, RunJournal } from '../harness/journal.ts';
import { type Holding, holds, lostHold } from '../runs/holding.ts';
import { runEvent } from '../runs/run.ts';
import { takeMessages } from '../steering/take-messages.ts';
import { redactedAnswer } from './redacted-answer.ts';
import { insertEntry, readEntries } from './store.ts';

export interface JournalOptions extends Holding {
  workspaceId: string;
  /** Opened anew for each use: an idle handle may be closed between two. */
  open(): Promise<Database>;
  agentId: string;
  budgetScope: string | null;
  /** No answer is kept with one of these in it. */
  secrets: readonly string[];
  clock: Clock;
  wakes: Wakes;
  /** Ends a wait for money that other runs hold. */
  signal: AbortSignal;
  /** Called before each model call; throws to stop the run there. */
  beforeCall(): void;
  /** Called before each write; throws when this process has let go of the run. */
  beforeWrite(): void;
}

const EVENT_TEXT_CHARS = 2_000;
const SUMMARY_CHARS = 200;
const RESERVATION_POLL_MS = 1_000;

/**
 * The journal of one run in its workspace's database. Every write is refused once the run is no longer held; until then
 * nobody else writes its entries, so they are read once.
 */
export function createJournal(options: JournalOptions): RunJournal {
  let entries: Entry[] | null = null;
  const load = async () => {
    entries ??= await readAll(options);
    return entries;
  };
  const keep = async (entry: Entry, commit: () => Promise<boolean>) => {
    const kept = await load();
    if (await commit()) kept.push(entry);
  };
  return {
    load: async () => [...(await load())],
    append: (label, entry) => keep(entry, () => append(options, label, entry)),
    reserve: async (upperBoundMicros) => {
      const wasTold = (await load()).some((entry) => entry.kind === 'user' && entry.cause === 'budget');
      const admission = await reserve(options, upperBoundMicros);
      return admission.admitted && wasTold ? { ...admission, wrapUp: null } : admission;
    },
    answer: (given) => {
      const entry = redactedAnswer(given, options.secrets);
      return keep(entry, () => answer(options, entry));
    },
    compact: (entry) => keep(entry, () => append(options, 'run.note', entry)),
    takeMessages: async () => {
      options.beforeWrite();
      const kept = await load();
      const taken = await takeMessages(await options.open(), { ...options, at: options.clock() });
      kept.push(...taken);
      return taken.length > 0;
    },
  };
}

async function readAll(options: JournalOptions): Promise<Entry[]> {
  return (await readEntries(await options.open(), options.runId)).map((logged) => logged.entry);
}

async function append(options: JournalOptions, label: AppendLabel, entry: Entry): Promise<boolean> {
  options.beforeWrite();
  const at = options.clock();
  const events = toolEvents(options, entry, at);
  const database = await options.open();
  const [inserted] = await database.write(label, [insertEntry(options, entry, at), ...events]);
  if (inserted?.rowsAffected !== 1) throw lostHold(options.runId);
  return true;
}

function toolEvents(options: JournalOptions, entry: Entry, at: number): Statement[] {
  const run = { id: options.runId, agentId: options.agentId };
  if (!('callId' in entry)) return [];
  const { name, callId } = entry;
  const data = { name, callId, ...stateOf(entry) };
  return [eventIfChanged(runEvent(run, 'run.tool', at, data))];
}

function stateOf(entry: Extract<Entry, { callId: string }>): Record<string, unknown> {
  if (entry.kind === 'toolHeld') return { state: 'held', approvalId: entry.approvalId, summary: '' };
  if (entry.kind === 'toolStarted') return { state: 'started', summary: '' };
  return { state: 'finished', isError: entry.isError, summary: entry.content.slice(0, SUMMARY_CHARS) };
}

/** False for an answer that is there already. */
async function answer(options: JournalOptions, entry: AnswerEntry): Promise<boolean> {
  options.beforeWrite();
  const at = options.clock();
  const database = await options.open();
  const results = await database.write('run.answer', [
    insertEntry(options, entry, at),
    addUsage(options.runId, entry),
    eventIfChanged(answeredEvent(options, entry, at)),
    ...settle(options, entry.costMicros, at),
    { sql: `SELECT ${holds(options).sql} AS held`, args: holds(options).args },
  ]);
  if (Number(results.at(-1)?.rows[0]?.held) !== 1) throw lostHold(options.runId);
  return results[0]?.rowsAffected === 1;
}

/** A cost that is unknown once makes the run's sum unknown: NULL plus anything is NULL. */
function addUsage(runId: string, { usage, costMicros }: AnswerEntry): Statement {
  return {
    sql: `UPDATE runs SET inputTokens = inputTokens + ?, outputTokens = outputTokens + ?,
      cacheReadTokens = cacheReadTokens + ?, cacheWriteTokens = cacheWriteTokens + ?, costMicros = costMicros + ?
      WHERE id = ? AND changes() > 0`,
    args: [usage.input, usage.output, usage.cacheRead, usage.cacheWrite, costMicros, runId],
  };
}

function answeredEvent(options: JournalOptions, entry: AnswerEntry, at: number) {
  const text = entry.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const data = {
    text: text.slice(0, EVENT_TEXT_CHARS),
    tokens: entry.usage,
    costMicros: entry.costMicros,
  };
  return runEvent({ id: options.runId, agentId: options.agentId }, 'run.answered', at, data);
}

function settle(options: JournalOptions, costMicros: number | null, at: number): Statement[] {
  if (options.budgetScope === null) return [];
  return [
    spendStatement(options.budgetScope, costMicros),
    releaseStatement(options),
    ...announceStatements(options.budgetScope, at),
  ];
}

async function reserve(options: JournalOptions, upperBoundMicros: number | null): Promise<Admission> {
  options.beforeCall();
  const scope = options.budgetScope;
  if (scope === null) return { admitted: true, wrapUp: null };
  while (!options.signal.aborted) {
    options.beforeWrite();
    const woken = options.wakes.wait(options.workspaceId, RESERVATION_POLL_MS, options.signal);
    const admission = await tryReserve(options, scope, upperBoundMicros);
    if (admission) return admission;
    // Money held by calls in flight comes back when they are answered, mostly less than was held.
    await woken;
  }
  throw new Fault('cancelled', `Run ${options.runId} was stopped while it waited for its budget.`);
}

/** Null: it does not fit now, and may when other runs of the scope have settled. */
async function tryReserve(
  options: JournalOptions,
  scope: string,
  upperBoundMicros: number | null,
): Promise<Admission | null> {
  const database = await options.open();
  const budget = await findBudget(database, scope);
  if (budget.capMicros !== null && upperBoundMicros === null) {
    const message = `The model has no known price, and the budget ${scope} has a cap. Give the model a price or choose another.`;
    return { admitted: false, reason: 'price_unknown', message };
  }
  if (budget.capMicros !== null && budget.spentMicros >= budget.capMicros) {
    const message = `The budget ${scope} is used up: ${budget.spentMicros} of ${budget.capMicros} micro-dollars are spent.`;
    return { admitted: false, reason: 'cap', message };
  }
  const fence = holds(options);
  const [, inserted, held] = await database.write('run.reserve', [
    ...reserveStatements(options, scope, upperBoundMicros ?? 0, options.clock()),
    { sql: `SELECT ${fence.sql} AS held`, args: fence.args },
  ]);
  if (Number(held?.rows[0]?.held) !== 1) throw lostHold(options.runId);
  return inserted?.rowsAffected === 1
    ? { admitted: true, wrapUp: isPastWarning(budget) ? `The budget ${scope} is nearly used.` : null }
    : null;
}
