import type { Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { createRunBudget, type RunBudget, type RunBudgetOptions } from '../budgets/run-budget.ts';
import type { AnswerEntry, AppendLabel, CompactionEntry, Entry, RunJournal } from '../harness/journal.ts';
import type { NameOf } from '../prompt/names.ts';
import { holds, lostHold } from '../runs/holding.ts';
import { runEvent } from '../runs/run.ts';
import { takeMessages } from '../steering/take-messages.ts';
import { redact } from '../tools/output.ts';
import { redactedAnswer } from './redacted-answer.ts';
import { insertEntry, readEntries } from './store.ts';

export interface JournalOptions extends RunBudgetOptions {
  /** What people who write to the run are called. */
  names(): Promise<NameOf>;
  /** No answer is kept with one of these in it. */
  secrets: readonly string[];
}

const EVENT_TEXT_CHARS = 2_000;
const SUMMARY_CHARS = 200;

/**
 * The journal of one run in its workspace's database. Every write is refused once the run is no longer held; until then
 * nobody else writes its entries, so they are read once.
 */
export function createJournal(options: JournalOptions): RunJournal {
  const budget = createRunBudget(options);
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
      const kept = await load();
      return budget.reserve(upperBoundMicros, (text) => kept.some((entry) => tells(entry, text)));
    },
    answer: (given) => {
      const entry = redactedAnswer(given, options.secrets);
      return keep(entry, () => answer(options, budget, entry));
    },
    compact: (given) => {
      const entry = { ...given, summary: redact(given.summary, options.secrets) };
      return keep(entry, () => answer(options, budget, entry));
    },
    takeMessages: async () => {
      options.beforeWrite();
      const kept = await load();
      const taken = await takeMessages(await options.open(), { ...options, at: options.clock() });
      kept.push(...taken);
      return taken.length > 0;
    },
  };
}

function tells(entry: Entry, text: string): boolean {
  return entry.kind === 'user' && entry.cause === 'budget' && entry.text.includes(text);
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
  const run = { id: options.runId, agentId: options.agentId, budgetScope: options.budgetScope };
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
async function answer(
  options: JournalOptions,
  budget: RunBudget,
  entry: AnswerEntry | CompactionEntry,
): Promise<boolean> {
  options.beforeWrite();
  const at = options.clock();
  const database = await options.open();
  const results = await database.write(entry.kind === 'answer' ? 'run.answer' : 'run.compact', [
    insertEntry(options, entry, at),
    addUsage(options.runId, entry),
    eventIfChanged(answeredEvent(options, entry, at)),
    ...budget.settle(entry.costMicros, at),
    { sql: `SELECT ${holds(options).sql} AS held`, args: holds(options).args },
  ]);
  if (Number(results.at(-1)?.rows[0]?.held) !== 1) throw lostHold(options.runId);
  return results[0]?.rowsAffected === 1;
}

/** A cost that is unknown once makes the run's sum unknown: NULL plus anything is NULL. */
function addUsage(runId: string, { usage, costMicros }: AnswerEntry | CompactionEntry): Statement {
  return {
    sql: `UPDATE runs SET inputTokens = inputTokens + ?, outputTokens = outputTokens + ?,
      cacheReadTokens = cacheReadTokens + ?, cacheWriteTokens = cacheWriteTokens + ?, costMicros = costMicros + ?
      WHERE id = ? AND changes() > 0`,
    args: [usage.input, usage.output, usage.cacheRead, usage.cacheWrite, costMicros, runId],
  };
}

function answeredEvent(options: JournalOptions, entry: AnswerEntry | CompactionEntry, at: number) {
  const run = { id: options.runId, agentId: options.agentId, budgetScope: options.budgetScope };
  const data = { tokens: entry.usage, costMicros: entry.costMicros };
  if (entry.kind === 'compaction') return runEvent(run, 'run.compacted', at, { turns: entry.turns, ...data });
  const text = entry.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return runEvent(run, 'run.answered', at, { text: text.slice(0, EVENT_TEXT_CHARS), ...data });
}
