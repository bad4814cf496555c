import { describe, expect, test } from 'bun:test';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { createAnswerCollector, type ModelAnswer } from './collect-answer.ts';
import { ModelFailure } from './failure.ts';

function collect(events: object[]): ModelAnswer {
  const collector = createAnswerCollector(() => {});
  for (const event of events) collector.take(event as RawMessageStreamEvent);
  return collector.finish();
}

const start = (usage: object) => ({
  type: 'message_start',
  message: { id: 'msg_1', model: 'm', content: [], usage },
});
const end = (usage: object, stopReason = 'end_turn') => [
  { type: 'message_delta', delta: { stop_reason: stopReason }, usage },
  { type: 'message_stop' },
];
const call = (index: number, ...json: string[]) => [
  {
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id: `call_${index}`, name: 'write_file', input: {} },
  },
  ...json.map((partial_json) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  })),
  { type: 'content_block_stop', index },
];

const FIRST = {
  input_tokens: 10,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 30,
  output_tokens: 1,
};

describe('usage', () => {
  test('is the last running total, not the sum of the reports', () => {
    const totals = { ...FIRST, output_tokens: 50 };
    const between = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 20 } };
    expect(collect([start(FIRST), between, ...end(totals)]).usage).toEqual({
      input: 10,
      output: 50,
      cacheRead: 200,
      cacheWrite: 30,
    });
  });

  test('keeps what only the start reported', () => {
    const partial = { output_tokens: 5, input_tokens: null, cache_read_input_tokens: null };
    expect(collect([start(FIRST), ...end(partial)]).usage).toMatchObject({ input: 10, cacheRead: 200 });
  });

  test('says how much was written for an hour, as a part of what was written', () => {
    const split = (minutes: number, hour: number) => ({
      ephemeral_5m_input_tokens: minutes,
      ephemeral_1h_input_tokens: hour,
    });
    const answer = collect([start({ ...FIRST, cache_creation: split(10, 20) }), ...end(FIRST)]);
    expect(answer.usage).toMatchObject({ cacheWrite: 30, cacheWrite1h: 20 });
    const none = collect([start({ ...FIRST, cache_creation: split(30, 0) }), ...end(FIRST)]);
    expect(none.usage).not.toHaveProperty('cacheWrite1h');
    const { cache_creation_input_tokens: _, ...unsummed } = FIRST;
    const summed = collect([start({ ...unsummed, cache_creation: split(10, 20) }), ...end(unsummed)]);
    expect(summed.usage).toMatchObject({ cacheWrite: 30, cacheWrite1h: 20 });
    const more = collect([start({ ...FIRST, cache_creation: split(0, 99) }), ...end(FIRST)]);
    expect(more.usage).toMatchObject({ cacheWrite: 30, cacheWrite1h: 30 });
    expect(collect([start({ ...FIRST, cache_creation: null }), ...end(FIRST)]).usage).not.toBeNull();
  });

  test('takes only whole counts', () => {
    const odd = { ...FIRST, input_tokens: 1.5, cache_read_input_tokens: -3 };
    expect(collect([start(odd), ...end({ ...FIRST, cache_read_input_tokens: '9' })]).usage).toMatchObject({
      input: 10,
      cacheRead: 0,
    });
    expect(collect([start(odd), ...end({ output_tokens: 1 })]).usage).toBeNull();
  });

  test('is unknown when the server does not report it', () => {
    expect(collect([start({}), ...end({})]).usage).toBeNull();
    // More than any call can have, and than sums of money could hold.
    for (const absurd of [2 ** 53 - 1, 1e300, Number.POSITIVE_INFINITY]) {
      expect(collect([start({ ...FIRST, input_tokens: absurd }), ...end(FIRST)]).usage).toBeNull();
      expect(collect([start(FIRST), ...end({ ...FIRST, cache_read_input_tokens: absurd })]).usage).toBeNull();
      expect(collect([start(FIRST), ...end({ output_tokens: absurd })]).usage).toBeNull();
    }
    expect(collect([start(FIRST), ...end({})]).usage).toBeNull();
  });
});

describe('a call', () => {
  test('has its arguments put together; none are an empty object', () => {
    const { content } = collect([
      start(FIRST),
      ...call(0, '', '{"pa', 'th": "a"}'),
      ...call(1),
      ...end(FIRST, 'tool_use'),
    ]);
    expect(content).toMatchObject([{ input: { path: 'a' } }, { input: {} }]);
  });

  test('with broken arguments keeps them as they were written', () => {
    const { content } = collect([start(FIRST), ...call(0, '{"path": "a'), ...end(FIRST, 'tool_use')]);
    expect(content).toMatchObject([{ input: '{"path": "a' }]);
  });

  test('is dropped when it comes last in an answer cut at the limit', () => {
    const events = [start(FIRST), ...call(0, '{"a":1}'), ...call(1, '{"a":'), ...end(FIRST, 'max_tokens')];
    expect(collect(events).content).toMatchObject([{ id: 'call_0' }]);
  });
});

test.each([
  ['end_turn', 0],
  ['tool_use', 1],
  ['max_tokens', 0],
  ['stop_sequence', 0],
  ['pause_turn', 0],
  ['refusal', 0],
  ['model_context_window_exceeded', 0],
  ['one_of_tomorrow', 0],
])('the stop reason %s is told as it came', (stopReason, calls) => {
  const events = [start(FIRST), ...(calls ? call(0, '{}') : []), ...end(FIRST, stopReason)];
  expect(collect(events)).toMatchObject({ stopReason, content: calls ? [{ id: 'call_0' }] : [] });
});

test('what the collector does not know passes by it: events, blocks and deltas', () => {
  const text = { type: 'text', text: '' };
  const unknown = [
    { type: 'ping' },
    { type: 'weather', sky: 'grey' },
    { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 's', name: 'x' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{' } },
    { type: 'content_block_start', index: 1, content_block: text },
    { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hello.' } },
    { type: 'content_block_delta', index: 7, delta: { type: 'text_delta', text: 'of no block' } },
  ];
  expect(collect([start(FIRST), ...unknown, ...end(FIRST)]).content).toEqual([
    { type: 'text', text: 'Hello.' },
  ]);
});

test('an answer whose message has no id gets one of its own', () => {
  const nameless = { type: 'message_start', message: { id: '', model: 'm', content: [], usage: FIRST } };
  const ids = [1, 2].map(() => collect([nameless, ...end(FIRST)]).messageId);
  expect(ids[0]).toMatch(/^msg_/);
  expect(new Set(ids).size).toBe(2);
});

test('a stream that ends early is a failure at every point, and one to be tried again', () => {
  const events = [start(FIRST), ...call(0, '{}'), ...end(FIRST, 'tool_use')];
  for (let length = 0; length < events.length; length++) {
    const attempt = () => collect(events.slice(0, length));
    expect(attempt).toThrow(ModelFailure);
    expect(attempt).toThrow(expect.objectContaining({ family: 'network', retryable: true }));
  }
  expect(collect(events).stopReason).toBe('tool_use');
});
