import { afterEach, describe, expect, test } from 'bun:test';
import { startScriptedModel } from '../../../test/model/server.ts';
import { checkRequest } from '../../../test/model/validate-request.ts';
import { createCountingTools, tool } from '../harness/test-doubles/counting-tools.ts';
import { type RunOptions, runAgainst, scriptOf } from '../harness/test-doubles/scripted-run.ts';

/** Whole runs against servers that speak the Messages API in their own ways; each request is checked as the API would. */

type Event = { type: string; [field: string]: unknown };

const USAGE = { input_tokens: 10, output_tokens: 5 };
const PING = { type: 'ping' };

let stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

let messages = 0;

function start(usage: object | null = USAGE): Event {
  messages += 1;
  const message = { id: `msg_${messages}`, type: 'message', role: 'assistant', model: 'm', content: [] };
  return { type: 'message_start', message: usage === null ? message : { ...message, usage } };
}

function end(stopReason: string, usage: object | null = USAGE): Event[] {
  const delta = { type: 'message_delta', delta: { stop_reason: stopReason } };
  return [usage === null ? delta : { ...delta, usage }, { type: 'message_stop' }];
}

function text(words: string, index = 0): Event[] {
  return [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: words } },
    { type: 'content_block_stop', index },
  ];
}

function call(id: string, index = 0): Event[] {
  const block = { type: 'tool_use', id, name: 'look', input: {} };
  return [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ];
}

/** Streams the answers in their order, the last one again and again, and keeps what was wrong with each request. */
function serve(...answers: Event[][]): { url: string; problems: (string | null)[]; bodies: unknown[] } {
  const problems: (string | null)[] = [];
  const bodies: unknown[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const body: unknown = await request.json();
      const events = answers[Math.min(bodies.length, answers.length - 1)] ?? [];
      bodies.push(body);
      problems.push(checkRequest(body, new Set(['look']), true).problem);
      const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
    },
  });
  stops.push(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, problems, bodies };
}

const LOOK = [tool('look')];

async function outcomeAgainst(answers: Event[][], options: RunOptions = {}) {
  const server = serve(...answers);
  const run = await runAgainst(server.url, options);
  expect(server.problems.filter((problem) => problem !== null)).toEqual([]);
  return { ...run, bodies: server.bodies };
}

test('pings, and events, blocks and deltas that nobody knows, disturb nothing', async () => {
  const block = { type: 'hologram', data: 'x' };
  const answer = [
    ...[PING, start(), PING, { type: 'weather', sky: 'grey' }],
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta', data: 'y' } },
    ...[...text('All is well.', 1), PING, ...end('end_turn')],
  ];
  const { outcome } = await outcomeAgainst([answer]);
  expect(outcome).toMatchObject({ status: 'completed', output: { text: 'All is well.' } });
});

test.each(['end_turn', 'stop_sequence', 'one_of_tomorrow'])(
  'an answer that stops for %s is a whole one',
  async (reason) => {
    const { outcome } = await outcomeAgainst([[start(), ...text('Here.'), ...end(reason)]]);
    expect(outcome).toMatchObject({ status: 'completed', output: { text: 'Here.' } });
  },
);

test('an answer that pauses is asked on, and the run ends with the one after', async () => {
  const { outcome, bodies } = await outcomeAgainst([
    [start(), ...text('Half.'), ...end('pause_turn')],
    [start(), ...text('Whole.'), ...end('end_turn')],
  ]);
  expect([outcome.status, bodies.length]).toEqual(['completed', 2]);
  expect(outcome.output?.text).toEndWith('Whole.');
});

test('calls are made whatever the answer says it stopped for', async () => {
  const { outcome, journal } = await outcomeAgainst(
    [
      [start(), ...call('call_1'), ...end('end_turn')],
      [start(), ...text('Seen.'), ...end('end_turn')],
    ],
    { tools: createCountingTools(LOOK) },
  );
  expect(outcome).toMatchObject({ status: 'completed', output: { text: 'Seen.' } });
  expect(journal.entries.filter((entry) => entry.kind === 'toolFinished')).toHaveLength(1);
});

test('a refusal ends the run as refused', async () => {
  const { outcome } = await outcomeAgainst([[start(), ...end('refusal')]]);
  expect(outcome).toMatchObject({ status: 'failed', errorFamily: 'refused' });
});

describe('an answer without content', () => {
  test('that is the first is a run that came to nothing, and says so', async () => {
    const { outcome } = await outcomeAgainst([[start(), ...end('end_turn')]]);
    expect(outcome).toMatchObject({ liveness: 'empty', errorFamily: 'silentRun' });
  });

  test('after work is an end, and one that was cut is asked on with a sound transcript', async () => {
    const thinking = { type: 'thinking', thinking: 'Hm', signature: '' };
    const { outcome, bodies } = await outcomeAgainst(
      [
        [start(), ...call('call_1'), ...end('tool_use')],
        [start(), { type: 'content_block_start', index: 0, content_block: thinking }, ...end('max_tokens')],
        [start(), ...end('end_turn')],
      ],
      { tools: createCountingTools(LOOK) },
    );
    expect([outcome.status, bodies.length]).toEqual(['completed', 3]);
  });
});

test('usage that is not reported makes the cost unknown, never zero, and the run goes on', async () => {
  const { outcome, journal } = await outcomeAgainst([
    [start(null), ...text('Done.'), ...end('end_turn', null)],
  ]);
  expect(outcome.status).toBe('completed');
  const answers = journal.entries.filter((entry) => entry.kind === 'answer');
  expect(answers.map(({ costMicros }) => costMicros)).toEqual([null]);
});

test('what was written to the cache for an hour is priced as such in the journal', async () => {
  const written = { cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 6 } };
  const usage = { ...USAGE, cache_creation_input_tokens: 10, ...written };
  const answer = [start(usage), ...text('Done.'), ...end('end_turn')];
  const unpriced = await outcomeAgainst([answer]);
  const prices = {
    ...{ inputMicrosPerMTok: 1_000_000, outputMicrosPerMTok: 10_000_000, cacheReadMicrosPerMTok: 100_000 },
    ...{ cacheWriteMicrosPerMTok: 1_250_000, cacheWrite1hMicrosPerMTok: 2_000_000 },
  };
  const priced = await outcomeAgainst([[start(usage), ...answer.slice(1)]], { model: { prices } });
  const costs = [unpriced, priced].map(({ journal }) =>
    journal.entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.costMicros] : [])),
  );
  expect(costs).toEqual([[null], [10 + 50 + 5 + 12]]);
});

describe('thinking', () => {
  test.each([
    ['a model without effort is asked for none', 'claude-haiku-4-5', [], 'high', undefined, undefined],
    ['an effort that the model takes is sent', 'claude-opus-5-5', ['low', 'max'], 'max', 'adaptive', 'max'],
    ['an effort that it does not take is not', 'claude-opus-5-5', ['low'], 'huge', 'adaptive', undefined],
    ['without an effort the model chooses', 'claude-opus-5-5', ['low'], null, 'adaptive', undefined],
  ])('%s', async (_name, id, effort, wanted, kind, sent) => {
    const model = startScriptedModel(scriptOf({ text: 'Done.' }));
    stops.push(() => model.stop());
    const { outcome } = await runAgainst(model.url, { model: { id, effort }, job: { effort: wanted } });
    expect(outcome.status).toBe('completed');
    const [request] = model.requests;
    const asked = request?.body as { thinking?: { type: string }; output_config?: { effort: string } };
    expect([asked.thinking?.type, asked.output_config?.effort]).toEqual([kind, sent]);
    expect(request?.problem).toBeNull();
  });

  test('no answer is longer than the model can write, or than half of its window', async () => {
    const model = startScriptedModel(scriptOf({ text: 'Done.' }));
    stops.push(() => model.stop());
    const job = { effort: 'high' };
    await runAgainst(model.url, { model: { maxOutputTokens: 900 }, job });
    await runAgainst(model.url, { model: { contextTokens: 40_000 }, job });
    expect(model.requests.map(({ body }) => body.max_tokens)).toEqual([900, 20_000]);
  });
});
