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

  test('is unknown when the server does not report it', () => {
    expect(collect([start({}), ...end({})]).usage).toBeNull();
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

test('a stream that ends early is a failure at every point, and one to be tried again', () => {
  const events = [start(FIRST), ...call(0, '{}'), ...end(FIRST, 'tool_use')];
  for (let length = 0; length < events.length; length++) {
    const attempt = () => collect(events.slice(0, length));
    expect(attempt).toThrow(ModelFailure);
    expect(attempt).toThrow(expect.objectContaining({ family: 'network', retryable: true }));
  }
  expect(collect(events).stopReason).toBe('tool_use');
});
