import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createMcpWorld, type Json, type McpWorld } from './test-world.ts';

let world: McpWorld;
let runToken: string;
let otherWs: string;

beforeAll(async () => {
  const question = { tools: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  world = await createMcpWorld({
    name: 'endpoint',
    dialogues: [{ name: 'wait', when: {}, turns: [question] }],
  });
  runToken = (await world.waitingRun('wait')).token;
  otherWs = `/api/workspaces/${(await world.ok('POST', '/api/workspaces', { name: 'Other' })).id}`;
});
afterAll(() => world.end());

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

async function send(
  body: unknown,
  { method = 'POST', path = `${world.ws}/mcp`, token = world.ownerToken, headers = {} } = {},
) {
  const response = await fetch(world.url + path, {
    method,
    headers: { ...HEADERS, authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: json(text) };
}

function json(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return { text };
  }
}

const message = (method: string, params: Json = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const tokens = (): [string, string][] => [
  ['a person', world.ownerToken],
  ['a run', runToken],
];

describe('the endpoint', () => {
  test.each(['GET', 'DELETE'])('keeps nothing open: %s is not allowed', async (method) => {
    for (const [, token] of tokens()) {
      const { status, headers, body } = await send(undefined, { method, token });
      expect([status, headers.get('allow'), body.code]).toEqual([405, 'POST', 'method_not_allowed']);
      expect(body.detail).toContain('POST one JSON-RPC message');
    }
  });

  test('answers what it does not know with an error, and clients of later protocols fall back', async () => {
    const discover = message('server/discover', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': 'x' },
    });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
    for (const [, token] of tokens()) {
      const { status, body } = await send(discover, { token, headers });
      expect([status, typeof body.error.code]).toEqual([400, 'number']);
      expect((await send(discover, { token })).body.error.code).toBe(-32_601);
      const begun = await send(
        message('initialize', {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        }),
        { token },
      );
      expect(begun.body.result).toMatchObject({ protocolVersion: '2025-11-25', capabilities: { tools: {} } });
    }
  });

  test.each([
    '',
    '{',
    'null',
    '7',
    '"x"',
    '{}',
    '[]',
    '{"a":NaN}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  ])('refuses the body %j', async (body) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
  });

  test('takes one message in a request', async () => {
    const { status, body } = await send([message('ping'), message('ping')]);
    expect([status, body.detail]).toEqual([400, expect.stringContaining('one JSON-RPC message')]);
    expect((await send(message('ping'))).body).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect((await send(message('ping'), { token: runToken })).headers.get('content-type')).toContain('json');
    const told = await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([told.status, told.text]).toEqual([202, '']);
  });

  test('answers a call that is none with an error of the protocol', async () => {
    for (const params of [{}, { name: 7 }, { name: 'list_runs', arguments: 'none' }, { name: 'x' }]) {
      const { status, body } = await send(message('tools/call', params));
      expect([status, body.error.code]).toEqual([200, -32_602]);
      const run = await send(message('tools/call', params), { token: runToken });
      expect([run.headers.get('content-type'), run.text.includes('"code":-32602')]).toEqual([
        'text/event-stream',
        true,
      ]);
    }
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_runs","arguments":{"x":${deep}}}}`;
    for (const [, token] of tokens()) expect((await send(call, { token })).status).toBeLessThan(500);
    expect((await send(message('ping'))).status).toBe(200);
  });

  test('is walled as every path is', async () => {
    const ping = message('ping');
    const code = async (options: Parameters<typeof send>[1], body: unknown = ping) => {
      const answer = await send(body, options);
      return [answer.status, answer.body.code];
    };
    for (const [, token] of tokens()) {
      const host = { host: 'evil.example' };
      expect(await code({ token, headers: host })).toEqual([403, 'foreign_host']);
      const origin = { origin: 'http://evil.example' };
      expect(await code({ token, headers: origin })).toEqual([403, 'foreign_origin']);
      expect(await code({ token, headers: { 'content-type': 'text/plain' } })).toEqual([
        400,
        'invalid_request',
      ]);
      const large = message('ping', { text: 'x'.repeat(9 << 20) });
      expect(await code({ token }, large)).toEqual([413, 'too_large']);
      expect(await code({ token: `${token}x` })).toEqual([401, 'unauthenticated']);
    }
    expect(await code({ headers: { authorization: '' } })).toEqual([401, 'unauthenticated']);
    expect(await code({ path: '/api/workspaces/ws_none/mcp' })).toEqual([404, 'not_found']);
  });
});

describe('a run’s token', () => {
  test('opens its workspace’s endpoint and nothing else', async () => {
    const paths = [
      ...['/api/me', '/api/workspaces', world.ws, `${world.ws}/approvals`, `${world.ws}/runs`],
      ...[`${world.ws}/mcp/`, `${world.ws}/mcp/token-holder`, `${world.ws}//mcp`, `${world.ws}/mcp%2F`],
      ...[`${world.ws}/mcpx`, `${otherWs}/../${world.ws.split('/').at(-1)}/tickets`],
      ...[world.ws.replace('ws_', 'ws%5F').concat('/mcp'), world.ws.toUpperCase().concat('/mcp')],
      ...['/internal/wake', '/api/workspaces/ws_%2e%2e/mcp'],
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const body = method === 'GET' ? undefined : message('tools/list');
        const answer = await send(body, { method, path, token: runToken });
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'forbidden']);
      }
    }
    for (const path of [`${otherWs}/mcp`, '/api/workspaces/ws_none/mcp']) {
      const answer = await send(message('tools/list'), { path, token: runToken });
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    }
    expect((await send(message('tools/list'), { token: runToken })).status).toBe(200);
  });

  test('names neither another actor nor another run', async () => {
    const other = (await world.waitingRun('wait')).run;
    const owner = (await world.ok('GET', '/api/me')).actor;
    const forged = {
      'x-control-center-actor': owner,
      'x-control-center-run': other.id,
      'X-Control-Center-Source': '{"via":"internal","address":null,"agent":null}',
    };
    const { body } = await send(message('tools/list'), { token: runToken, headers: forged });
    const names = body.result.tools.map(({ name }: Json) => name);
    expect([names.includes('ask_user'), names.includes('decide_approval')]).toEqual([true, false]);
    const person = await send(message('tools/list'), {
      headers: { ...forged, 'x-control-center-actor': `agent:${world.agents.ceo}` },
    });
    expect(person.body.result.tools[0].name).toBe('list_approvals');
  });

  test('is made by services alone, shown once, and kept as a digest', async () => {
    const { run } = await world.waitingRun('wait');
    const made = await world.api('POST', `${world.ws}/runs/${run.id}/tokens`);
    expect([made.status, made.body.code]).toEqual([403, 'forbidden']);
    const agent = `agent:${world.agents.ceo}` as const;
    expect((await world.api('POST', `${world.ws}/runs/${run.id}/tokens`, undefined, agent)).status).toBe(403);
    const ask = await world.api('POST', `${world.ws}/mcp/token-holder`, { digest: '0'.repeat(64) });
    expect([ask.status, ask.body.code]).toEqual([403, 'forbidden']);
    const { token } = await world.ok('POST', `${world.ws}/runs/${run.id}/tokens`, undefined, 'service:x');
    expect(token).toMatch(/^ccr_[A-Za-z0-9_-]{43}$/);
    const events = await world.ok('GET', `${world.ws}/events?after=0&limit=1000`);
    expect(JSON.stringify(events)).not.toContain(token);
    expect(world.stored(token)).toBe(false);
  });
});
