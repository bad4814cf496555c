import { afterEach, expect, test } from 'bun:test';
import { APIUserAbortError } from '@anthropic-ai/sdk';
import type { ScriptedModel } from './server.ts';
import { startScriptedModel } from './server.ts';
import { clientOf, HELLO, post, READ_FILE, scriptOf } from './test-client.ts';

const started: ScriptedModel[] = [];
function start(...args: Parameters<typeof startScriptedModel>): ScriptedModel {
  const model = startScriptedModel(...args);
  started.push(model);
  return model;
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((model) => model.stop()));
});

const RICH = {
  thinking: 'Two files are needed, so I read both at once. 🧵',
  text: 'I read the files — größer als ein Stück.',
  tools: [
    { name: 'read_file', input: { path: 'a.ts', note: 'ümlaut 🙂 '.repeat(10) } },
    { name: 'read_file', input: {} },
  ],
};
const CONTENT = [
  { type: 'thinking', thinking: RICH.thinking, signature: expect.stringMatching(/.+/) },
  { type: 'text', text: RICH.text },
  { type: 'tool_use', id: expect.stringMatching(/^toolu_/), ...RICH.tools[0] },
  { type: 'tool_use', id: expect.stringMatching(/^toolu_/), ...RICH.tools[1] },
];

test.each([true, false])(
  'thinking, text and parallel tools arrive whole, streamed %p',
  async (isStreamed) => {
    const model = start(scriptOf(RICH));
    const request = { ...HELLO, tools: [READ_FILE] };
    const { messages } = clientOf(model.url);
    const message = isStreamed
      ? await messages.stream(request).finalMessage()
      : await messages.create(request);
    expect(message.content).toMatchObject(CONTENT as never);
    expect(message.stop_reason).toBe('tool_use');
    expect(message.usage.output_tokens).toBe(59);
    const ids = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    expect(new Set(ids).size).toBe(2);
    expect(model.requests).toMatchObject([
      { path: '/v1/messages', dialogue: 'all', turn: 0, status: 200, problem: null },
    ]);
  },
);

test('a stream has the events of the API in their order and cumulative usage', async () => {
  const model = start(scriptOf({ thinking: 't', text: 'hi', tools: [{ name: 'x', input: {} }] }));
  const response = await post(model.url, { ...HELLO, stream: true });
  const body = await response.text();
  const events = [...body.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1] ?? ''));
  expect(events.map((event) => event.delta?.type ?? event.type)).toEqual([
    'message_start',
    'content_block_start',
    'ping',
    'thinking_delta',
    'signature_delta',
    'content_block_stop',
    'content_block_start',
    'text_delta',
    'content_block_stop',
    'content_block_start',
    'input_json_delta',
    'input_json_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ]);
  expect(response.headers.get('request-id')).toStartWith('req_');
  const { input_tokens } = events[0].message.usage;
  expect(input_tokens).toBeGreaterThan(0);
  expect(events[13]).toMatchObject({
    delta: { stop_reason: 'tool_use' },
    usage: { input_tokens, output_tokens: 3 },
  });
});

test('the script fixes usage, stop reason and turn by function', async () => {
  const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 };
  const model = start(scriptOf((request) => ({ text: request.model, stopReason: 'refusal', usage })));
  const message = await clientOf(model.url).messages.create(HELLO);
  expect(message).toMatchObject({
    content: [{ text: 'claude-opus-5-5' }],
    stop_reason: 'refusal',
    stop_details: { type: 'refusal' },
    usage: { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cache_creation_input_tokens: 4 },
  });
});

test('tokens are counted and models listed', async () => {
  const model = start(scriptOf());
  const client = clientOf(model.url);
  const { model: name, messages } = HELLO;
  const count = await client.messages.countTokens({ model: name, messages, system: 'x'.repeat(400) });
  expect(count.input_tokens).toBeGreaterThan(100);
  expect((await client.models.list()).data.map(({ id }) => id)).toContain('claude-opus-5-5');
  expect((await client.models.retrieve('claude-haiku-5-5')).display_name).toBe('Claude Haiku 5.5');
});

test.each(['waiting', 'streaming'])('a request aborted while %s is recorded', async (phase) => {
  const slow = phase === 'waiting' ? { delayMs: 60_000 } : { chunkDelayMs: 60_000 };
  const model = start(scriptOf({ text: 'late', ...slow }));
  const stream = clientOf(model.url).messages.stream(HELLO);
  const ended = stream.finalMessage().catch((error: unknown) => error);
  if (phase === 'streaming') await new Promise((resolve) => stream.once('streamEvent', resolve));
  await model.waitForRequest((request) => request.turn === 0);
  expect(model.requests[0]?.aborted).toBeUndefined();
  stream.abort();
  const aborted = await model.waitForRequest((request) => request.aborted === true);
  expect(aborted).toBe(model.requests[0]!);
  expect(await ended).toBeInstanceOf(APIUserAbortError);
});

test('a complete answer is not recorded as aborted when the client closes the connection', async () => {
  const model = start(scriptOf({ text: 'a' }));
  const response = await post(model.url, { ...HELLO, stream: true }, { connection: 'close' });
  await response.text();
  await post(model.url, HELLO).then((next) => next.text());
  expect(model.requests.map((request) => request.aborted)).toEqual([undefined, undefined]);
});

test('credentials, version and size are checked first', async () => {
  const model = start(scriptOf({ text: 'in' }), { apiKey: 'right' });
  const none = await post(model.url, HELLO, { 'x-api-key': '' });
  const wrong = await post(model.url, HELLO, { 'x-api-key': 'wrong' });
  const version = await post(model.url, HELLO, { 'x-api-key': 'right', 'anthropic-version': '' });
  const large = await post(model.url, 'x'.repeat(32 * 1024 * 1024 + 1), { 'x-api-key': 'right' });
  const key = await post(model.url, HELLO, { 'x-api-key': 'right' });
  expect([none, wrong, version, large, key].map(({ status }) => status)).toEqual([401, 401, 400, 413, 200]);
  expect(await none.json()).toMatchObject({ type: 'error', error: { type: 'authentication_error' } });
  expect(await large.json()).toMatchObject({ error: { type: 'request_too_large' } });
  expect(await clientOf(model.url, 0, 'right').messages.create(HELLO)).toMatchObject({ role: 'assistant' });
  expect(model.requests.map(({ problem }) => problem)).toEqual([
    'x-api-key header is required',
    'invalid x-api-key',
    'anthropic-version: header is required',
    'Request exceeds the maximum size of 33554432 bytes',
    null,
    null,
  ]);
});

test('either header may hold the key, unless the server demands one, and then that one alone', async () => {
  const bearer = { 'x-api-key': '', authorization: 'Bearer right' };
  const key = { 'x-api-key': 'right' };
  const statuses = async (credentialHeader?: 'x-api-key' | 'authorization') => {
    const model = start(scriptOf({ text: 'in' }), {
      apiKey: 'right',
      ...(credentialHeader && { credentialHeader }),
    });
    const answers = [bearer, key, { ...bearer, ...key }].map((headers) => post(model.url, HELLO, headers));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200, 200]);
  expect(await statuses('x-api-key')).toEqual([401, 200, 401]);
  expect(await statuses('authorization')).toEqual([200, 401, 401]);
});

test('both versions of the API are taken, an unknown one is not', async () => {
  const model = start(scriptOf({ text: 'in' }));
  const versions = ['2023-06-01', '2026-10-21', '1999-01-01'];
  const answers = versions.map((version) => post(model.url, HELLO, { 'anthropic-version': version }));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 400]);
});

test('a prompt beyond the window is too long, and the models listed are those it was given', async () => {
  const model = start(scriptOf({ text: 'in' }), { contextTokens: 100, models: ['house-model-7-1'] });
  const client = clientOf(model.url);
  const long = { ...HELLO, system: 'x'.repeat(800) };
  expect(await client.messages.create(long).catch((error: unknown) => error)).toMatchObject({
    status: 400,
    message: expect.stringMatching(/prompt is too long: 2\d\d tokens > 100 maximum/),
  });
  expect(await client.messages.create(HELLO)).toMatchObject({ role: 'assistant' });
  expect((await client.models.list()).data).toMatchObject([
    { id: 'house-model-7-1', display_name: 'House Model 7.1' },
  ]);
});

test('waiting for a request fails with what was seen, in time and at the end', async () => {
  const model = start(scriptOf({ text: 'a' }));
  await clientOf(model.url).messages.create(HELLO);
  await expect(model.waitForRequest(() => false, 5)).rejects.toThrow('seen: /v1/messages all#0 200');
  const open = model.waitForRequest(() => false);
  await model.stop();
  await expect(open).rejects.toThrow('the server stopped');
});

test('stopping ends an answer under way', async () => {
  const model = start(scriptOf({ text: 'late', delayMs: 60_000 }));
  const answer = clientOf(model.url).messages.create(HELLO);
  const ended = answer.catch((error: unknown) => error);
  await model.waitForRequest(() => true);
  await model.stop();
  expect(await ended).toBeInstanceOf(Error);
});
