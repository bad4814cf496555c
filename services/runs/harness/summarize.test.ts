import { afterEach, describe, expect, test } from 'bun:test';
import { blocksOf, type MessagesRequest } from '../../../test/model/messages-request.ts';
import type { ScriptedTurn, TurnSource } from '../../../test/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../../test/model/server.ts';
import type { CompactionEntry, Entry } from './journal.ts';
import { createCountingTools, result, tool } from './test-doubles/counting-tools.ts';
import { createMemoryJournal, Killed } from './test-doubles/memory-journal.ts';
import { problemsOf, type RunOptions, runAgainst } from './test-doubles/scripted-run.ts';

let model: ScriptedModel;
afterEach(() => model.stop());

const READ = tool('read_file');
/** Two answers' texts are what fills the window: results could be cleared, words cannot. */
const WORDS = 'word '.repeat(800);
const WINDOW = 20_000;

function isSummaryCall(request: MessagesRequest): boolean {
  return JSON.stringify(request.messages.at(-1)).includes('Write the summary');
}

const summaryCalls = () => model.requests.filter(({ body }) => isSummaryCall(body));
const others = () => model.requests.filter(({ body }) => !isSummaryCall(body));

function summariesOf({ entries }: { entries: Entry[] }): CompactionEntry[] {
  return entries.filter((entry) => entry.kind === 'compaction');
}

/** Reads and writes much until `turns` answers were made in all, then says that it is done. */
function start(turns: number, overrides: { summary?: TurnSource; answer?: TurnSource } = {}): void {
  let answers = 0;
  const answer: TurnSource = (request) => {
    if (isSummaryCall(request)) return turnOf(overrides.summary ?? { text: `SUMMARY ${answers}` }, request);
    if (overrides.answer !== undefined) return turnOf(overrides.answer, request);
    answers += 1;
    return answers > turns
      ? { text: 'Done.' }
      : { text: `${answers} ${WORDS}`, tools: [{ name: 'read_file', input: { page: answers } }] };
  };
  model = startScriptedModel({ name: 'long', dialogues: [], otherwise: answer });
}

function turnOf(source: TurnSource, request: MessagesRequest): ScriptedTurn {
  return typeof source === 'function' ? source(request) : source;
}

function run(options: RunOptions = {}) {
  const tools = createCountingTools([READ]);
  const job = { contextTokens: WINDOW, ...options.job };
  return runAgainst(model.url, { tools, ...options, job });
}

/** Prompt tokens as the server counted them. */
function promptTokens(entries: Entry[]): number[] {
  return entries.flatMap((entry) =>
    entry.kind === 'answer' ? [entry.usage.input + entry.usage.cacheRead + entry.usage.cacheWrite] : [],
  );
}

describe('a conversation that words fill', () => {
  test('is summarized before the window is full, and not long before', async () => {
    start(30);
    const { outcome, journal } = await run({ job: { maxTurns: 40 } });
    expect(outcome).toMatchObject({ status: 'completed', summary: 'Done.' });
    expect(problemsOf(model)).toEqual([]);
    expect(summariesOf(journal).length).toBeGreaterThan(1);
    const limit = 10_000;
    const sizes = promptTokens(journal.entries);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
    expect(Math.max(...sizes)).toBeGreaterThan(limit * 0.8);
  });

  test('is summarized at about 85 % of a large window, by the server’s own count of it', async () => {
    start(0, {
      answer: ({ messages }) =>
        JSON.stringify(messages[0]).includes('SUMMARY')
          ? { text: 'Done.' }
          : { text: WORDS.repeat(8), tools: [{ name: 'read_file', input: { at: messages.length } }] },
    });
    const { journal } = await run({ job: { contextTokens: 200_000, maxTurns: 60 } });
    const before = journal.entries.slice(
      0,
      journal.entries.findIndex((entry) => entry.kind === 'compaction'),
    );
    const last = promptTokens(before).at(-1) ?? 0;
    expect(last).toBeGreaterThan(200_000 * 0.77);
    expect(last).toBeLessThanOrEqual(200_000 * 0.85);
  });

  test('has the task, the summary and the newest turns whole in it from then on', async () => {
    start(12);
    const { journal } = await run();
    const [first] = summariesOf(journal);
    const after = others()[answersBefore(journal.entries, first)]?.body;
    const opening = blocksOf(after?.messages[0]?.content).map((block) => block.text);
    expect(opening[0]).toBe('Do the work.');
    expect(opening[1]).toEndWith(first?.summary ?? 'none');
    expect(after?.messages.slice(1).length).toBeGreaterThan(1);
    expect(after?.messages[1]).toMatchObject({ role: 'assistant' });
    expect(JSON.stringify(after?.messages[1])).toContain(`${(first?.turns ?? 0) + 1} word`);
  });

  test('is summarized from the cache: its prompt starts as the last one did, tools and system too', async () => {
    start(12);
    await run();
    const [call] = summaryCalls();
    const before = model.requests[model.requests.indexOf(call as never) - 1]?.body as MessagesRequest;
    const body = call?.body as MessagesRequest;
    expect({ tools: body.tools, system: body.system }).toEqual({
      tools: before.tools,
      system: before.system,
    });
    const plain = (messages: unknown) =>
      JSON.parse(JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value)));
    const kept = body.messages.slice(0, -1);
    expect(plain(kept)).toEqual(plain(before.messages.slice(0, kept.length)));
    expect(body.tool_choice).toBeUndefined();
  });

  test('costs what the summary costs: reserved before, counted once, also when the run is killed after it', async () => {
    start(12, { summary: { text: 'S', usage: { inputTokens: 1_000, outputTokens: 100 } } });
    const { journal } = await run();
    const [summary] = summariesOf(journal);
    expect(summary?.costMicros).toBeGreaterThanOrEqual(1_000 + 100 * 10);
    const answers = journal.entries.filter((entry) => entry.kind === 'answer');
    const costs = [...answers, ...summariesOf(journal)].map(({ costMicros }) => costMicros ?? Number.NaN);
    expect(journal.spentMicros).toBe(costs.reduce((sum, cost) => sum + cost, 0));
    expect(journal.reservations).toHaveLength(answers.length + summariesOf(journal).length);
  });

  test('that is killed before any commit comes to the same end', async () => {
    start(12);
    const whole = (await run()).journal.labels.length;
    for (let commits = 1; commits < whole; commits += 3) {
      await model.stop();
      start(12);
      const journal = createMemoryJournal({ commits });
      await expect(run({ journal })).rejects.toBeInstanceOf(Killed);
      const rest = createMemoryJournal({ entries: journal.entries });
      expect((await run({ journal: rest })).outcome).toMatchObject({ status: 'completed' });
      expect(problemsOf(model)).toEqual([]);
    }
  });

  test('keeps what people wrote word by word', async () => {
    start(12);
    const { journal } = await run({ journal: createMemoryJournal({ inbox: ['Use tabs, never spaces.'] }) });
    const [first] = summariesOf(journal);
    const after = others()[answersBefore(journal.entries, first)]?.body;
    expect(JSON.stringify(after?.messages[0])).toContain('Use tabs, never spaces.');
  });
});

function answersBefore(entries: Entry[], summary: CompactionEntry | undefined): number {
  return entries.slice(0, entries.indexOf(summary as Entry)).filter((entry) => entry.kind === 'answer')
    .length;
}

describe('a server that takes no prompt of this size', () => {
  const TOO_LONG = { status: 400, message: 'prompt is too long: 300000 tokens > 200000 maximum' };
  const read = (page: number) => ({ tools: [{ name: 'read_file', input: { page } }] });

  /** Refuses what is longer than `most` messages. */
  function refuseBeyond(most: number, summary?: TurnSource): void {
    let page = 0;
    const answer = ({ messages }: MessagesRequest): ScriptedTurn => {
      if (messages.length > most)
        return { text: '', fault: { kind: 'status', times: Number.POSITIVE_INFINITY, ...TOO_LONG } };
      return page > 8 ? { text: 'Done.' } : read(page++);
    };
    start(0, { answer, ...(summary !== undefined && { summary }) });
  }

  test('gets a summary instead, and the run goes on', async () => {
    refuseBeyond(9);
    const { outcome, journal } = await run({ job: { contextTokens: null } });
    expect(outcome.status).toBe('completed');
    expect(summariesOf(journal).length).toBeGreaterThan(0);
  });

  test('and none of its summaries either ends the run, which says what was tried and how to mend it', async () => {
    refuseBeyond(0);
    const { outcome } = await run({ job: { contextTokens: null } });
    expect(outcome).toMatchObject({ status: 'failed', errorFamily: 'contextOverflow' });
    expect(outcome.summary).toContain('prompt is too long');
    expect(outcome.summary).toContain('window is 200,000');
    expect(outcome.summary).toContain('larger window, or split the task');
    expect(outcome.summary).toContain('No final answer was given.');
  });

  test('and calls tools in place of a summary is told that it may not; a third time there is none', async () => {
    refuseBeyond(9, ({ tool_choice }) =>
      tool_choice?.type === 'none' ? { text: 'In words.' } : { text: 'Let me look.', ...read(99) },
    );
    const { outcome, journal } = await run({ job: { contextTokens: null } });
    expect(outcome.status).toBe('completed');
    expect(summariesOf(journal).slice(0, 2)).toMatchObject([
      { turns: 0, summary: '', costMicros: expect.any(Number) },
      { summary: 'In words.' },
    ]);
    await model.stop();
    refuseBeyond(9, read(99));
    const vain = await run({ job: { contextTokens: null } });
    expect(vain.outcome).toMatchObject({ status: 'failed', errorFamily: 'contextOverflow' });
    expect(vain.outcome.summary).toContain('a summary was asked for and came to nothing');
    expect(summariesOf(vain.journal)).toHaveLength(2);
  });

  test('and refuses the summary’s prompt gets it without the results', async () => {
    const summary = ({ messages }: MessagesRequest): ScriptedTurn =>
      JSON.stringify(messages).includes('was removed')
        ? { text: 'Shorter.' }
        : { text: '', fault: { kind: 'status', times: 9, ...TOO_LONG } };
    refuseBeyond(9, summary);
    const { outcome, journal } = await run({ job: { contextTokens: null } });
    expect(outcome.status).toBe('completed');
    expect(summariesOf(journal)[0]?.summary).toBe('Shorter.');
  });

  test('and stops in the middle of an answer goes on after a summary, with what was said', async () => {
    let count = 0;
    const answer = (): ScriptedTurn => {
      count += 1;
      if (count < 5) return read(count);
      return count === 5
        ? { text: 'First half, ', stopReason: 'model_context_window_exceeded' }
        : { text: 'second half.' };
    };
    start(0, { answer });
    const { outcome, journal } = await run({ job: { contextTokens: null } });
    expect(outcome).toMatchObject({ status: 'completed', output: { text: 'First half, second half.' } });
    expect(summariesOf(journal)).toHaveLength(1);
    expect(problemsOf(model)).toEqual([]);
  });
});

describe('what cannot be made smaller', () => {
  test('is not sent when it cannot fit: the run ends and names the size of what is fixed', async () => {
    start(0);
    const job = { prompt: 'x'.repeat(200_000) };
    const { outcome, journal } = await run({ job });
    expect(outcome).toMatchObject({ status: 'failed', errorFamily: 'contextOverflow' });
    expect(outcome.summary).toContain('System prompt, tools and task alone');
    expect(outcome.summary).toContain("agent's contextSize (20,000)");
    expect(model.requests).toEqual([]);
    expect(journal.labels).toEqual(['run.prompt']);
  });

  test('in one answer’s results is left out of them, the largest first, and the model is told', async () => {
    let count = 0;
    const call = (size: number) => ({ name: 'read_file', input: { size } });
    const answer = (): ScriptedTurn =>
      count++ === 0 ? { tools: [call(50_000), call(100), call(9_000)] } : { text: 'Done.' };
    start(0, { answer });
    const tools = createCountingTools([READ], {
      read_file: ({ input }) => result('z'.repeat((input as { size: number }).size)),
    });
    const { outcome } = await run({ tools });
    expect(outcome.status).toBe('completed');
    const results = blocksOf(model.requests.at(-1)?.body.messages.at(-1)?.content);
    expect(results.map((block) => String(block.content).includes('was left out'))).toEqual([
      true,
      false,
      false,
    ]);
    expect(problemsOf(model)).toEqual([]);
  });

  test('is summarized again and again only with new answers in between', async () => {
    start(60, { summary: { text: 'long '.repeat(3_000) } });
    const { outcome, journal } = await run({ job: { maxTurns: 60 } });
    const answers = journal.entries.filter((entry) => entry.kind === 'answer').length;
    expect(summariesOf(journal).length).toBeLessThan(answers * 2);
    expect(['contextOverflow', 'silentRun', null]).toContain(outcome.errorFamily);
  });
});
