import { afterEach, expect, test } from 'bun:test';
import { AnthropicError, APIError } from '@anthropic-ai/sdk';
import type { ScriptedFault } from './script.ts';
import type { ScriptedModel } from './server.ts';
import { startScriptedModel } from './server.ts';
import { clientOf, HELLO, READ_FILE, scriptOf } from './test-client.ts';

const TURN = { text: 'A text of some length', tools: [{ name: 'read_file', input: { path: 'a' } }] };
const REQUEST = { ...HELLO, tools: [READ_FILE] };
let model: ScriptedModel;
afterEach(() => model.stop());

function startFailing(fault: ScriptedFault): void {
  model = startScriptedModel(scriptOf({ ...TURN, fault }));
}

function ask(isStreamed: boolean, maxRetries = 0): Promise<unknown> {
  const { messages } = clientOf(model.url, maxRetries);
  const answer = isStreamed ? messages.stream(REQUEST).finalMessage() : messages.create(REQUEST);
  return Promise.resolve(answer).catch((error: unknown) => error);
}

const WHOLE = { stop_reason: 'tool_use', content: [{ text: TURN.text }, { input: { path: 'a' } }] };

test.each([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [529, 'overloaded_error'],
])('a status fault %p answers %p once, then the turn', async (status, type) => {
  startFailing({ kind: 'status', status });
  const failure = await ask(true);
  expect(failure).toBeInstanceOf(APIError);
  expect(failure).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/) });
  expect(await ask(false)).toMatchObject(WHOLE);
  expect(model.requests.map((request) => request.status)).toEqual([status, 200]);
  expect(model.requests.map((request) => request.problem)).toEqual([null, null]);
});

test('a status fault names its own type and message, and fails as often as told', async () => {
  startFailing({ kind: 'status', status: 400, errorType: 'billing_error', message: 'No credit', times: 2 });
  const expected = { type: 'billing_error', message: expect.stringContaining('No credit') };
  expect([await ask(true), await ask(true)]).toMatchObject([expected, expected]);
  expect(await ask(true)).toMatchObject(WHOLE);
});

test('faults without end stay until the script changes', async () => {
  startFailing({ kind: 'status', status: 400, times: Number.POSITIVE_INFINITY });
  for (let i = 0; i < 3; i += 1) expect(await ask(true)).toMatchObject({ status: 400 });
  model.setScript(scriptOf(TURN));
  expect(await ask(true)).toMatchObject(WHOLE);
});

test('retry-after is sent and obeyed by the client', async () => {
  startFailing({ kind: 'status', status: 429, retryAfterSeconds: 1 });
  expect(await ask(true, 1)).toMatchObject(WHOLE);
  const [first, second] = model.requests;
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(990);
});

test('overload inside a stream is an error event after part of the answer', async () => {
  startFailing({ kind: 'overloaded_in_stream', afterEvents: 4 });
  const stream = clientOf(model.url).messages.stream(REQUEST);
  const seen: string[] = [];
  stream.on('streamEvent', (event) => seen.push(event.type));
  const failure = await stream.finalMessage().catch((error: unknown) => error);
  expect(failure).toMatchObject({ type: 'overloaded_error', status: undefined });
  expect(seen).toEqual(['message_start', 'content_block_start', 'content_block_delta']);
  expect(await ask(true)).toMatchObject(WHOLE);
});

test('an error inside a stream has the type, the words and the headers that the script gives it', async () => {
  const words = { errorType: 'rate_limit_error', message: 'Slow down' };
  startFailing({ kind: 'overloaded_in_stream', ...words, headers: { 'retry-after-ms': '250' } });
  const failure = (await ask(true)) as APIError;
  expect(failure).toMatchObject({ type: 'rate_limit_error', status: undefined });
  expect([failure.message.includes('Slow down'), failure.headers?.get('retry-after-ms')]).toEqual([
    true,
    '250',
  ]);
});

test('overload without a stream is a plain 529', async () => {
  startFailing({ kind: 'overloaded_in_stream' });
  expect(await ask(false)).toMatchObject({ status: 529, type: 'overloaded_error' });
});

test('a cut stream delivers its first events and then breaks the connection', async () => {
  startFailing({ kind: 'cut', afterEvents: 4 });
  const stream = clientOf(model.url).messages.stream(REQUEST);
  const seen: string[] = [];
  stream.on('streamEvent', (event) => seen.push(event.type));
  const failure = await stream.finalMessage().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AnthropicError);
  expect(seen).toEqual(['message_start', 'content_block_start', 'content_block_delta']);
  expect(model.requests[0]?.aborted).toBeUndefined();
  expect(await ask(true)).toMatchObject(WHOLE);
});

test.each([true, false])(
  'a cut before the first event breaks the answer, streamed %p',
  async (isStreamed) => {
    startFailing({ kind: 'cut', afterEvents: 0 });
    const failure = await ask(isStreamed);
    expect(failure).toBeInstanceOf(Error);
    expect(await ask(isStreamed)).toMatchObject(WHOLE);
  },
);

test('broken tool arguments end before they are whole', async () => {
  startFailing({ kind: 'broken_tool_json' });
  const { messages } = clientOf(model.url);
  let json = '';
  let stopReason: string | null = null;
  for await (const event of await messages.create({ ...REQUEST, stream: true })) {
    if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta')
      json += event.delta.partial_json;
    if (event.type === 'message_delta') stopReason = event.delta.stop_reason;
  }
  expect(json).toBe('{"path":"a"');
  expect(stopReason as string | null).toBe('tool_use');
  expect(await ask(true)).toMatchObject(WHOLE);
});

test('broken tool arguments without a stream are missing', async () => {
  startFailing({ kind: 'broken_tool_json' });
  expect(await ask(false)).toMatchObject({
    content: [{ text: TURN.text }, { name: 'read_file', input: {} }],
  });
});

test('rubbish is a 200 that is no answer', async () => {
  startFailing({ kind: 'rubbish' });
  expect(await ask(true)).toBeInstanceOf(AnthropicError);
  expect(model.requests[0]?.status).toBe(200);
  expect(await ask(true)).toMatchObject(WHOLE);
});

test('each conversation has its own failures', async () => {
  startFailing({ kind: 'status', status: 400 });
  const other = { ...REQUEST, messages: [{ role: 'user' as const, content: 'Another' }] };
  expect(await ask(true)).toMatchObject({ status: 400 });
  const failure = await clientOf(model.url)
    .messages.create(other)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ status: 400 });
  expect(await ask(true)).toMatchObject(WHOLE);
});
