import { afterEach, describe, expect, test } from 'bun:test';
import { inspect } from 'node:util';
import { type ScriptedModel, startScriptedModel } from '../../../test/model/server.ts';
import { createMemoryJournal } from '../harness/test-doubles/memory-journal.ts';
import { runAgainst, scriptOf } from '../harness/test-doubles/scripted-run.ts';
import { createModelClient } from './client.ts';
import { plainEndpoint } from './endpoint.ts';

const REQUEST = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };
const LISTENER = { started: () => {}, delta: () => {} };
const EVENT_STREAM = { headers: { 'content-type': 'text/event-stream' } };
const NEVER = new AbortController().signal;

let model: ScriptedModel | null = null;

afterEach(async () => {
  await model?.stop();
  model = null;
});

describe('the client', () => {
  test('sends its key as a bearer token and shows it nowhere else', async () => {
    model = startScriptedModel(scriptOf({ text: 'Hello.' }), { apiKey: 'secret-key' });
    const client = createModelClient(plainEndpoint(model.url, 'secret-key'));
    const answer = await client.answer(REQUEST, LISTENER, NEVER);
    expect(answer.content).toEqual([{ type: 'text', text: 'Hello.' }]);
    expect(model.requests[0]?.headers.authorization).toBe('Bearer secret-key');
    expect(model.requests[0]?.body.thread).toBeUndefined();
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain(
      'secret-key',
    );
  });

  test('sends its key as x-api-key alone where the endpoint says so', async () => {
    model = startScriptedModel(scriptOf({ text: 'Hello.' }), {
      apiKey: 'secret-key',
      credentialHeader: 'x-api-key',
    });
    const plain = plainEndpoint(model.url, 'secret-key');
    const client = createModelClient({ ...plain, auth: 'x-api-key' });
    expect((await client.answer(REQUEST, LISTENER, NEVER)).content).toHaveLength(1);
    const sent = model.requests[0]?.headers ?? {};
    expect([sent['x-api-key'], sent.authorization]).toEqual(['secret-key', undefined]);
    await expect(createModelClient(plain).answer(REQUEST, LISTENER, NEVER)).rejects.toMatchObject({
      family: 'authentication',
      message: expect.stringContaining('only the x-api-key header'),
    });
  });

  test('sends the headers and the version of its endpoint, and none that the environment holds', async () => {
    model = startScriptedModel(scriptOf({ text: 'Hello.' }));
    const { url } = model;
    const before = process.env.ANTHROPIC_CUSTOM_HEADERS;
    process.env.ANTHROPIC_CUSTOM_HEADERS = 'x-elsewhere: secret of another\nx-team: wrong';
    try {
      const headers = { 'x-team': 'blue' };
      const client = createModelClient({ ...plainEndpoint(url, null), headers, apiVersion: '2023-06-01' });
      await client.answer(REQUEST, LISTENER, NEVER);
    } finally {
      if (before === undefined) delete process.env.ANTHROPIC_CUSTOM_HEADERS;
      else process.env.ANTHROPIC_CUSTOM_HEADERS = before;
    }
    const sent = model.requests[0]?.headers ?? {};
    expect(sent).toMatchObject({ 'x-team': 'blue', 'anthropic-version': '2023-06-01' });
    expect(sent['x-elsewhere']).toBeUndefined();
  });

  test('carries its key to no other host: a redirection is a failure that says so', async () => {
    model = startScriptedModel(scriptOf({ text: 'Hello.' }));
    const elsewhere = `${model.url}/v1/messages`;
    const gate = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new Response(null, { status: 307, headers: { location: elsewhere } }),
    });
    const client = createModelClient(plainEndpoint(`http://127.0.0.1:${gate.port}`, 'secret-key'));
    const failure = await client.answer(REQUEST, LISTENER, NEVER).catch((error: unknown) => error);
    await gate.stop(true);
    expect(failure).toMatchObject({ family: 'invalidRequest', retryable: false });
    expect(String(failure)).toContain('(307)');
    expect(model.requests).toEqual([]);
  });

  test('with a wrong key fails for authentication, and the message does not hold the key', async () => {
    model = startScriptedModel(scriptOf({ text: 'Hello.' }), { apiKey: 'secret-key' });
    const client = createModelClient(plainEndpoint(model.url, 'wrong-key'));
    const failure = await client.answer(REQUEST, LISTENER, NEVER).catch((error: unknown) => error);
    expect(failure).toMatchObject({ family: 'authentication', retryable: false });
    expect(String(failure)).not.toContain('wrong-key');
  });

  test.each([
    ['a page', (said: string) => new Response(`<p>${said}</p>`, { status: 401 })],
    ['a fault that passes', (said: string) => Response.json({ error: { message: said } }, { status: 429 })],
    ['a refusal', (said: string) => Response.json({ error: { message: said } }, { status: 400 })],
    ['no JSON', (said: string) => new Response(`data: ${said}\n\n`, EVENT_STREAM)],
    [
      'an event',
      (said: string) => new Response(`event: error\ndata: {"error":{"message":"${said}"}}\n\n`, EVENT_STREAM),
    ],
  ])('tells no secret of its own that the server says back in %s', async (_, answer) => {
    const echo = Bun.serve({
      ...{ hostname: '127.0.0.1', port: 0 },
      fetch: ({ headers }) => answer(`${headers.get('authorization')} of ${headers.get('x-team')}`),
    });
    const endpoint = plainEndpoint(`http://127.0.0.1:${echo.port}`, 'secret-key');
    const client = createModelClient({ ...endpoint, headers: { 'x-team': 'secret-key-of-team' } });
    const failure = await client.answer(REQUEST, LISTENER, NEVER).catch((error: unknown) => error);
    await echo.stop(true);
    expect(failure).toMatchObject({ name: 'ModelFailure' });
    expect(inspect(failure, { depth: 9 })).not.toMatch(/secret|of-team/);
  });

  test('without a key and an address says what to set, and asks nobody', async () => {
    const client = createModelClient(plainEndpoint(null, null));
    const failure = await client.answer(REQUEST, LISTENER, NEVER).catch((error: unknown) => error);
    expect(failure).toMatchObject({ family: 'authentication' });
    expect(String(failure)).toContain('ANTHROPIC_API_KEY');
  });

  test('never tries again by itself', async () => {
    model = startScriptedModel(scriptOf({ text: 'x', fault: { kind: 'status', status: 529, times: 9 } }));
    const client = createModelClient(plainEndpoint(model.url, null));
    await expect(client.answer(REQUEST, LISTENER, NEVER)).rejects.toMatchObject({ family: 'overloaded' });
    expect(model.requests).toHaveLength(1);
  });
});

/** A server that gives every answer the same message id and the same call id. */
function startRepeater(answers: object[]) {
  const message = { id: 'msg_same', type: 'message', role: 'assistant', model: 'm', content: [] };
  const usage = { input_tokens: 1, output_tokens: 1 };
  let count = 0;
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => {
      const block = answers[Math.min(count, answers.length - 1)];
      count += 1;
      const events = [
        {
          type: 'message_start',
          message: { ...message, id: count > 2 ? 'msg_same' : `msg_${count}`, usage },
        },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
        { type: 'message_stop' },
      ];
      const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
  });
}

test('a server that repeats its ids is answered call by call, and a replayed answer counts once', async () => {
  const server = startRepeater([{ type: 'tool_use', id: 'call_0', name: 'nothing', input: {} }]);
  try {
    const journal = createMemoryJournal();
    const { outcome } = await runAgainst(`http://127.0.0.1:${server.port}`, { journal });
    const calls = journal.entries.flatMap((entry) =>
      entry.kind === 'answer' ? entry.content.filter((block) => block.type === 'tool_use') : [],
    );
    expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
    expect(calls).toHaveLength(3);
    expect(journal.spentMicros).toBe(3 * 11);
    expect(outcome).toMatchObject({ status: 'paused', errorFamily: 'network' });
  } finally {
    await server.stop(true);
  }
});
