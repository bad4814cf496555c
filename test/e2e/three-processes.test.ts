import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type FakeGitHub, startFakeGitHub } from '../github/server.ts';
import { ownerToken, type ServerProcess } from './server-process.ts';
import { createStage, type Stage } from './stage.ts';
import { SERVICE_TOKEN, startThree } from './three-processes.ts';
import { type Answer, call, type Json, onWord, scriptOf, toolCall, until } from './world.ts';

const WEBHOOK_SECRET = 'a secret of the provider';

let github: FakeGitHub;
let stage: Stage;
let servers: ServerProcess[];
let ws: string;
let id: string;
let agents: Record<string, string>;

beforeAll(async () => {
  github = startFakeGitHub();
  stage = createStage(
    scriptOf(
      onWord('leave-plan', { tools: [toolCall('exit_plan_mode', { summary: 'Done.' })] }, { text: 'Asked.' }),
      onWord('ask-me', { tools: [toolCall('ask_user', { question: 'Which?' })] }, { text: 'Thanks.' }),
    ),
  );
  const env = {
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: github.token,
    GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
  };
  servers = await startThree({ ...stage.env, ...env });
  ({ id } = await ok(0, 'POST', '/api/workspaces', { name: 'shop' }));
  ws = `/api/workspaces/${id}`;
  await until(
    () => ok(0, 'GET', ws),
    ({ state }) => state === 'ready',
  );
  const { items } = await ok(0, 'GET', `${ws}/agents`);
  agents = Object.fromEntries(items.map((agent: Json) => [agent.name, agent.id]));
}, 30_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await stage.remove();
  await github.stop();
});

function api(at: number, method: string, path: string, body?: unknown, more?: Json): Promise<Answer> {
  const authorization = `Bearer ${ownerToken(stage.dataDir)}`;
  return call(servers[at]!.url, method, path, body, { authorization, ...more });
}

async function ok(at: number, method: string, path: string, body?: unknown, more?: Json): Promise<Json> {
  const answer = await api(at, method, path, body, more);
  if (answer.status < 300) return answer.body;
  throw new Error(`${at} ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

async function client(at: number, token: string): Promise<Client> {
  const made = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const url = new URL(servers[at]!.url + ws);
  url.pathname += '/mcp';
  await made.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return made;
}

/** The run that a word wakes, once it has a question or an approval before people. */
async function asked(at: number, space: Json, word: string): Promise<Json> {
  const { message } = await ok(at, 'POST', `${ws}/conversations/${space.mainConversationId}/messages`, {
    body: word,
  });
  const mine = async () =>
    (await ok(at, 'GET', `${ws}/runs?limit=500`)).items.find(
      ({ trigger }: Json) => trigger.id === message.id,
    );
  const run = await until(mine, (one) => one?.liveness === 'waiting' || one?.status === 'completed');
  return run as Json;
}

const room = (at: number, more: Json = {}) =>
  ok(at, 'POST', `${ws}/spaces`, { name: `room ${at}`, agents: [agents.ceo], ...more });

test.each([0, 1, 2])(
  'people are known, and what they ask is answered, at process %i',
  async (at) => {
    const { actor, member } = await ok(at, 'GET', '/api/me');
    expect([actor, member.role]).toEqual([`person:${member.id}`, 'owner']);
    for (const authorization of [
      'Bearer cc_wrong',
      'Bearer ccr_wrong',
      'Basic x',
      `Bearer ${'x'.repeat(9_000)}`,
    ]) {
      expect((await api(at, 'GET', '/api/me', undefined, { authorization })).status).toBeOneOf([401, 403]);
    }
    const digest = '0'.repeat(64);
    expect((await api(at, 'POST', '/api/token-holder', { digest })).body.code).toBe('forbidden');
    expect(JSON.stringify(await ok(at, 'GET', `${ws}/honesty`))).toContain('andbox');
    const rule = { scope: 'workspace', scopeId: null, effect: 'git_push', action: 'deny' };
    const { id: ruleId } = await ok(at, 'PUT', `${ws}/guardrails/rules`, rule);
    expect((await ok(at, 'POST', `${ws}/policy/explain`, { command: 'git push' })).decision).toBe('deny');
    await ok(at, 'DELETE', `${ws}/guardrails/rules/${ruleId}`);
    const { items } = await ok(at, 'GET', `${ws}/audit?limit=500`);
    expect(items.find(({ type, action }: Json) => (type ?? action) === 'guardrail.removed')).toBeDefined();
    expect(items.filter(({ source }: Json) => source?.via === 'http').length).toBeGreaterThan(0);
  },
  30_000,
);

test.each([0, 1, 2])(
  'the tool protocol is spoken with people and runs at process %i',
  async (at) => {
    const run = await asked(at, await room(at), 'ask-me');
    const service = { authorization: `Bearer ${SERVICE_TOKEN}`, 'x-control-center-actor': 'service:test' };
    const { token } = await ok(at, 'POST', `${ws}/runs/${run.id}/tokens`, undefined, service);
    const [person, agent] = await Promise.all([client(at, ownerToken(stage.dataDir)), client(at, token)]);
    expect((await agent.listTools()).tools.map(({ name }) => name)).toEqual(run.tools);
    const calling = agent.callTool({ name: 'ask_user', arguments: { question: 'And this?' } });
    const both = () => ok(at, 'GET', `${ws}/approvals?status=pending&runId=${run.id}`);
    const { items } = await until(both, ({ items: all }) => all.length === 2);
    const answer = ({ id: approvalId }: Json) =>
      person.callTool({
        ...{ name: 'decide_approval', arguments: { approvalId, decision: 'approved', answer: 'That.' } },
      });
    // The run's own question last: its answer ends the run, and with it what its client waits for.
    const [own, ofClient] = items;
    await answer(ofClient);
    expect(JSON.stringify((await calling).content)).toContain('The answer: That.');
    await answer(own);
    await until(
      () => ok(at, 'GET', `${ws}/runs/${run.id}`),
      ({ status }) => status === 'completed',
    );
    await Promise.all([person.close(), agent.close()]);
  },
  30_000,
);

test.each([0, 1, 2])(
  'a way out of plan mode, and deliveries of the provider, at process %i',
  async (at) => {
    const space = await room(at, { mode: 'plan' });
    await asked(at, space, 'leave-plan');
    const gate = async () =>
      (await ok(at, 'GET', `${ws}/inbox`)).items.find((one: Json) => one.spaceId === space.id);
    const { id: gateId, kind, digest } = (await until(gate, (one) => one !== undefined)) as Json;
    expect(kind).toBe('plan_exit');
    await ok(at, 'POST', `${ws}/approvals/${gateId}/decision`, { decision: 'approved', digest });
    const number = 20 + at;
    github.open({ number, base: { a: 'a\n' }, head: { a: 'b\n' } });
    const text = JSON.stringify({ action: 'opened', number, repository: { full_name: 'acme/shop' } });
    const signature = `sha256=${createHmac('sha256', WEBHOOK_SECRET).update(text).digest('hex')}`;
    const headers = {
      ...{ 'content-type': 'application/json', 'x-github-event': 'pull_request' },
      ...{ 'x-hub-signature-256': signature, 'x-control-center-actor': 'service:reviews' },
    };
    const delivered = await call(servers[at]!.url, 'POST', `/hooks/github/${id}`, text, headers);
    expect(delivered.body).toMatchObject({ state: 'looked' });
    expect(await ok(at, 'GET', `${ws}/reviews/${delivered.body.reviewId}`)).toMatchObject({ number });
  },
  30_000,
);
