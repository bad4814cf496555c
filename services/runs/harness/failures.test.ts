import { afterEach, describe, expect, test } from 'bun:test';
import type { TurnSource } from '../../../test/model/script.ts';
import type { ScriptedModel } from '../../../test/model/server.ts';
import { createCountingTools, result, tool } from './test-doubles/counting-tools.ts';
import { createMemoryJournal } from './test-doubles/memory-journal.ts';
import { problemsOf, type RunOptions, runAgainst, startTurns } from './test-doubles/scripted-run.ts';

let model: ScriptedModel | null = null;

afterEach(async () => {
  await model?.stop();
  model = null;
});

async function run(turns: TurnSource[], options: RunOptions = {}) {
  model = startTurns(...turns);
  const startedAt = performance.now();
  const finished = await runAgainst(model.url, options);
  return { ...finished, requests: model.requests, tookMs: performance.now() - startedAt };
}

const READ = tool('read_file');
const CALL = { name: 'read_file', input: { path: 'a/long/path/that/takes/a/few/deltas.txt' } };

describe('a failing model call', () => {
  const passing: [
    string,
    NonNullable<Exclude<TurnSource, (...args: never[]) => unknown>['fault']>,
    string,
  ][] = [
    ['overload', { kind: 'status', status: 529, times: 2 }, 'overloaded'],
    ['a server error', { kind: 'status', status: 500 }, 'overloaded'],
    ['a rate limit', { kind: 'status', status: 429 }, 'rateLimited'],
    ['overload inside a 200 stream', { kind: 'overloaded_in_stream' }, 'overloaded'],
    ['a cut stream', { kind: 'cut' }, 'network'],
    ['a stream cut before its last event', { kind: 'cut', afterEvents: 1_000 }, 'network'],
    ['a body that is no stream', { kind: 'rubbish' }, 'network'],
  ];

  test.each(passing)(
    'is tried again after %s, and nothing of the half answer is kept',
    async (_, fault, family) => {
      const tools = createCountingTools([READ]);
      const turns = [{ text: 'I read the file now.', tools: [CALL], fault }, { text: 'Done.' }];
      const { outcome, journal, news } = await run(turns, { tools });
      expect(outcome).toMatchObject({ status: 'completed', summary: 'Done.' });
      expect(problemsOf(model as ScriptedModel)).toEqual([]);
      expect(tools.executions).toHaveLength(1);
      const texts = journal.entries.flatMap((entry) =>
        entry.kind === 'answer' ? entry.content.filter((block) => block.type === 'text') : [],
      );
      expect(texts.map((block) => block.text)).toEqual(['I read the file now.', 'Done.']);
      expect(news).toContain(`retrying:${family}:1`);
    },
  );

  test('that goes on failing pauses the run, which can be resumed', async () => {
    const fault = { kind: 'overloaded_in_stream' as const, times: 4 };
    const first = await run([{ text: 'Hello there.', fault }]);
    expect(first.outcome).toMatchObject({ status: 'paused', liveness: 'blocked', errorFamily: 'overloaded' });
    expect(first.requests).toHaveLength(3);
    expect(first.journal.labels).toEqual(['run.prompt']);
    const { outcome } = await runAgainst(model?.url ?? '', { journal: first.journal });
    expect(outcome).toMatchObject({ status: 'completed', summary: 'Hello there.' });
  });

  test('waits as long as the server asks', async () => {
    const fault = { kind: 'status' as const, status: 429, retryAfterSeconds: 1 };
    const { outcome, tookMs } = await run([{ text: 'Done.', fault }]);
    expect(outcome.status).toBe('completed');
    expect(tookMs).toBeGreaterThanOrEqual(1_000);
  });

  const inTwoSeconds = () => new Date(Date.now() + 2_000).toUTCString();
  const wishes: [string, () => Record<string, string>, number][] = [
    ['seconds', () => ({ 'retry-after': '1' }), 1_000],
    ['milliseconds', () => ({ 'retry-after-ms': '300', 'retry-after': '9' }), 300],
    // A date has no fractions of a second.
    ['a date', () => ({ 'retry-after': inTwoSeconds() }), 900],
  ];
  const places = ['429', '529', 'a 200 stream with an error in it'];

  test.each(places.flatMap((place) => wishes.map((wish) => [place, ...wish] as const)))(
    'waits as long as %s asks in %s',
    async (place, _, headers, leastMs) => {
      const fault = Number.isNaN(Number(place))
        ? { kind: 'overloaded_in_stream' as const, headers: headers() }
        : { kind: 'status' as const, status: Number(place), headers: headers() };
      const delays: number[] = [];
      const events = { retrying: ({ delayMs }: { delayMs: number }) => delays.push(delayMs) };
      const { outcome, tookMs, journal } = await run([{ text: 'Hello there.', fault }], { events });
      expect(outcome).toMatchObject({ status: 'completed', summary: 'Hello there.' });
      expect(delays).toHaveLength(1);
      expect(delays[0]).toBeGreaterThanOrEqual(leastMs);
      expect(delays[0]).toBeLessThan(2_100);
      expect(tookMs).toBeGreaterThanOrEqual(leastMs);
      expect(journal.labels).toEqual(['run.prompt', 'run.answer']);
    },
  );

  test('cut after its first bytes makes and keeps nothing twice, however often it is cut', async () => {
    const tools = createCountingTools([READ]);
    const cut = (afterEvents: number) => ({ kind: 'cut' as const, afterEvents, times: 2 });
    const turns = [
      { thinking: 'Hm.', tools: [CALL], fault: cut(1) },
      { text: 'Read.', tools: [CALL], fault: cut(6) },
      { text: 'Done.', fault: cut(3) },
    ];
    const { outcome, journal, requests } = await run(turns, { tools });
    expect(outcome.status).toBe('completed');
    expect(requests).toHaveLength(9);
    expect(tools.executions).toHaveLength(2);
    const spent = journal.entries.flatMap((entry) =>
      entry.kind === 'answer' ? [entry.costMicros ?? 0] : [],
    );
    expect(spent).toHaveLength(3);
    expect(journal.spentMicros).toBe(spent.reduce((sum, cost) => sum + cost, 0));
  });

  test('does not wait when the server asks for too long: the run pauses at once', async () => {
    const fault = { kind: 'status' as const, status: 429, retryAfterSeconds: 3_600 };
    const { outcome, requests } = await run([{ text: 'Done.', fault }]);
    expect(outcome).toMatchObject({ status: 'paused', errorFamily: 'rateLimited' });
    expect(requests).toHaveLength(1);
  });

  const lasting: [number, string, string, string][] = [
    [401, 'invalid x-api-key', 'paused', 'authentication'],
    [403, 'not yours', 'paused', 'authentication'],
    [400, 'thinking.type: not supported', 'failed', 'invalidRequest'],
    [404, 'model: no-such-model', 'failed', 'invalidRequest'],
    [400, 'prompt is too long: 250000 tokens > 200000 maximum', 'failed', 'contextOverflow'],
    [413, 'Request exceeds the maximum size', 'failed', 'contextOverflow'],
  ];

  test.each(lasting)('with %i %p is not tried again: %s, %s', async (status, message, expected, family) => {
    const fault = { kind: 'status' as const, status, message };
    const { outcome, requests } = await run([{ text: 'Never.', fault }]);
    expect(outcome).toMatchObject({ status: expected, errorFamily: family } as object);
    expect(outcome.summary).toContain(message);
    expect(requests).toHaveLength(1);
  });

  test('for want of a server is the network’s', async () => {
    const gone = startTurns();
    await gone.stop();
    const { outcome, news } = await runAgainst(gone.url);
    expect(outcome).toMatchObject({ status: 'paused', errorFamily: 'network' });
    expect(news).toEqual(['retrying:network:1', 'retrying:network:2']);
  });
});

describe('a cancel', () => {
  async function cancelled(turns: TurnSource[], options: RunOptions, ready: () => Promise<unknown>) {
    model = startTurns(...turns);
    const controller = new AbortController();
    const journal = createMemoryJournal();
    const running = runAgainst(model.url, { ...options, journal, signal: controller.signal });
    await ready();
    const startedAt = performance.now();
    controller.abort(new Error('the user cancelled'));
    const { outcome } = await running;
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(outcome).toMatchObject({ status: 'cancelled', errorFamily: 'cancelled' });
    return journal;
  }

  test('ends a stream at once and keeps nothing of it', async () => {
    const begun = Promise.withResolvers<void>();
    const turn = { text: 'A text that never ends. '.repeat(50), chunkDelayMs: 200 };
    const events = { delta: () => begun.resolve() };
    const journal = await cancelled([turn], { events }, () => begun.promise);
    expect(journal.labels).toEqual(['run.prompt']);
    await model?.waitForRequest((request) => request.aborted === true);
  });

  test('ends the wait between two tries', async () => {
    const retrying = Promise.withResolvers<void>();
    const fault = { kind: 'status' as const, status: 529, times: 9 };
    const events = { retrying: () => retrying.resolve() };
    const retry = { minDelayMs: 60_000, maxDelayMs: 60_000 };
    await cancelled([{ text: 'x', fault }], { events, retry }, () => retrying.promise);
  });

  test('ends tools that obey, keeps their results, and the next request is valid', async () => {
    const begun = Promise.withResolvers<void>();
    const tools = createCountingTools([READ], {
      read_file: (_, signal) => {
        begun.resolve();
        const { promise, resolve } = Promise.withResolvers<ReturnType<typeof result>>();
        signal.addEventListener('abort', () => resolve(result('Stopped.', true)));
        return promise;
      },
    });
    const journal = await cancelled([{ tools: [CALL] }, { text: 'After.' }], { tools }, () => begun.promise);
    expect(journal.labels.at(-1)).toBe('tool.finish');
    const { outcome } = await runAgainst(model?.url ?? '', { journal, tools });
    expect(outcome.status).toBe('completed');
    expect(problemsOf(model as ScriptedModel)).toEqual([]);
  });

  test('does not wait for tools that never end, and the next request is valid', async () => {
    const begun = Promise.withResolvers<void>();
    const never = createCountingTools([tool('write_file', { tier: 'write' })], {
      write_file: () => {
        begun.resolve();
        return Promise.withResolvers<never>().promise;
      },
    });
    const turns = [{ tools: [{ name: 'write_file', input: {} }] }, { text: 'After.' }];
    const journal = await cancelled(turns, { tools: never }, () => begun.promise);
    expect(journal.labels.at(-1)).toBe('tool.start');
    const tools = createCountingTools([]);
    const { outcome } = await runAgainst(model?.url ?? '', { journal, tools });
    expect(outcome.status).toBe('completed');
    expect(problemsOf(model as ScriptedModel)).toEqual([]);
  });

  test('before the start asks nothing', async () => {
    const { outcome, requests, journal } = await run([{ text: 'x' }], { signal: AbortSignal.abort() });
    expect(outcome.status).toBe('cancelled');
    expect(requests).toEqual([]);
    expect(journal.entries).toEqual([]);
  });
});
