import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { createFixture, type Fixture } from '../../runner/repository-fixture.ts';
import { until } from '../test-bench.ts';
import { createMcpWorld, type Json, type McpWorld, read, said } from './test-world.ts';

let world: McpWorld;
let repository: Fixture;
let person: Client;

beforeAll(async () => {
  const question = { tools: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  const dialogue = (word: string) => ({
    name: word,
    when: { user: word },
    turns: [question, { text: 'Bye.' }],
  });
  world = await createMcpWorld({
    name: 'runs',
    dialogues: [dialogue('wait')],
    otherwise: { text: 'Hello.' },
  });
  repository = await createFixture({ 'README.md': 'one\n' });
  person = await world.client(world.ownerToken);
});
afterAll(async () => {
  await world.end();
  repository.remove();
});

const inRepository = () => ({ repositories: [repository.source] });
const use = (client: Client, name: string, input: Json = {}, toolUseId?: string) =>
  client.callTool({
    name,
    arguments: input,
    ...(toolUseId && { _meta: { 'claudecode/toolUseId': toolUseId } }),
  });
const decide = async (approvalId: string, decision: string, more: Json = {}) =>
  read(await use(person, 'decide_approval', { approvalId, decision, ...more }));
/** The approval of a kind that the run's calls have asked for. */
const asked = (runId: string, kind: string, status = 'pending'): Promise<Json> =>
  until(
    async () => {
      const { items } = read(await use(person, 'list_approvals', { runId, status, limit: 100 }));
      return items.find((item: Json) => item.kind === kind) as Json | undefined;
    },
    (found) => found !== undefined,
  ) as Promise<Json>;
/** Makes every change of a file in the space need a person's word, who may as well come later. */
async function askingRun() {
  const waiting = await world.waitingRun('wait', { ...inRepository(), whenNobody: 'wait' });
  const rule = { scope: 'space', scopeId: waiting.space.id, effect: 'file_write', action: 'ask' };
  await world.ok('PUT', `${world.ws}/guardrails/rules`, rule);
  return { ...waiting, client: await world.client(waiting.token) };
}
const toolEvents = async (runId: string) => {
  const { items } = await world.ok('GET', `${world.ws}/events?after=0&limit=1000`);
  return items.filter((event: Json) => event.subject === runId && event.type === 'run.tool');
};

describe('a run’s token', () => {
  test('is offered that run’s surface as its model was, in the same order', async () => {
    const { token, run } = await world.waitingRun('wait', inRepository());
    const { tools } = await (await world.client(token)).listTools();
    const shown = world.model.requests.at(-1)?.body.tools ?? [];
    expect(tools.map(({ name }) => name)).toEqual(run.tools);
    expect(
      tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
    ).toEqual(
      shown.map(
        ({ name, description, input_schema }) => ({ name, description, input_schema }) as Json,
      ) as never,
    );
    const hints = new Map(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints.get('read_file')).toEqual({ readOnlyHint: true, destructiveHint: false });
    expect(hints.get('post_message')).toEqual({ readOnlyHint: false, destructiveHint: false });
    expect(hints.get('git_commit')).toEqual({ readOnlyHint: false, destructiveHint: false });
    expect(hints.get('delete_file')).toEqual({ readOnlyHint: false, destructiveHint: true });
    expect(hints.get('run_command')).toEqual({ readOnlyHint: false, destructiveHint: true });
  });

  test('sees and uses only what its mode gives, whatever the other clients have', async () => {
    const [planned, chatting] = await Promise.all([
      world.waitingRun('wait', { ...inRepository(), mode: 'plan' }),
      world.waitingRun('wait', inRepository()),
    ]);
    const [planner, worker] = await Promise.all([world.client(planned.token), world.client(chatting.token)]);
    const write = { path: 'new.txt', content: 'x' };
    const [refused, done] = await Promise.allSettled([
      use(planner, 'write_file', write),
      use(worker, 'write_file', write),
    ]);
    expect([refused?.status, done?.status]).toEqual(['rejected', 'fulfilled']);
    expect(String((refused as PromiseRejectedResult).reason)).toContain('There is no tool "write_file" here');
  });

  test.each([
    'decide_approval',
    'list_approvals',
    'Decide_Approval',
    'decide_approval ',
    'decide-approval',
    'decideApproval',
    'mcp__control-center__decide_approval',
    'operator/decide_approval',
    '../decide_approval',
    'ＤＥＣＩＤＥ_approval',
    '__proto__',
    'constructor',
  ])('cannot call %j', async (name) => {
    const { token, run } = await world.waitingRun('wait');
    const { id, digest } = await asked(run.id, 'question');
    const client = await world.client(token);
    const input = { approvalId: id, decision: 'approved', digest, answer: 'me' };
    await expect(use(client, name, input)).rejects.toThrow('There is no tool');
    expect(await world.ok('GET', `${world.ws}/approvals/${id}`)).toMatchObject({ status: 'pending' });
  });

  test('acts as the run’s agent, and a call id stands for one call', async () => {
    const { token, run } = await world.waitingRun('wait');
    const client = await world.client(token);
    const ticket = { title: 'From outside', description: 'Once.' };
    const first = said(await use(client, 'create_ticket', ticket, 'toolu_1'));
    const again = said(await use(client, 'create_ticket', ticket, 'toolu_1'));
    expect([first.isError, again]).toEqual([false, first]);
    const { items } = await world.ok('GET', `${world.ws}/tickets`);
    expect(items.filter(({ title }: Json) => title === ticket.title).length).toBe(1);
    const other = read(await use(client, 'create_ticket', { ...ticket, title: 'Another' }, 'toolu_1'));
    expect(other.error.code).toBe('conflict');
    expect(read(await use(client, 'create_ticket', ticket, '../../1')).error.code).toBe('invalid_request');
    const events = await toolEvents(run.id);
    expect(
      events
        .filter(({ data }: Json) => data.callId === 'toolu_1')
        .map(({ actor, data }: Json) => [actor, data]),
    ).toMatchObject([
      [`agent:${world.agents.ceo}`, { state: 'started', via: 'mcp', decision: { decision: 'allow' } }],
      [`agent:${world.agents.ceo}`, { state: 'finished', isError: false }],
    ]);
  });

  test('is told what is wrong with its input, and nothing is done', async () => {
    const { token } = await world.waitingRun('wait');
    const { text, isError } = said(await use(await world.client(token), 'create_ticket', { title: 7 }));
    expect([isError, text.includes('title:')]).toEqual([true, true]);
  });
});

describe('a call that a person has to allow', () => {
  test('is told of an input that is nested without end, like of any other that is wrong', async () => {
    const { token } = await world.waitingRun('wait');
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const params = `{"name":"create_ticket","arguments":{"title":${deep},"description":""}}`;
    const response = await fetch(`${world.url}${world.ws}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
    });
    const text = await response.text();
    expect(text).toContain('must not be nested deeper than 100 levels');
    expect(text).toContain('"isError":true');
  });

  test('is answered when it is decided, has run once, and runs no second time', async () => {
    const { run, client } = await askingRun();
    const input = { path: 'asked.txt', content: 'allowed' };
    const calling = use(client, 'write_file', input, 'toolu_w');
    const { id, arguments: args } = await asked(run.id, 'action');
    expect(args).toMatchObject({ tool: 'write_file', input });
    expect(said(await use(client, 'list_files')).text).not.toContain('asked.txt');
    const twice = read(await use(client, 'write_file', input, 'toolu_w'));
    expect(twice.error).toMatchObject({ code: 'conflict', message: expect.stringContaining('under way') });
    expect((await decide(id, 'approved')).status).toBe('approved');
    expect(said(await calling).isError).toBe(false);
    expect(said(await use(client, 'read_file', { path: 'asked.txt' })).text).toContain('allowed');
    await use(client, 'write_file', input, 'toolu_w');
    const states = (await toolEvents(run.id))
      .filter(({ data }: Json) => data.callId === 'toolu_w')
      .map(({ data }: Json) => data.state);
    expect(states).toEqual(['held', 'started', 'finished']);
    const another = use(client, 'write_file', { ...input, content: 'other' }, 'toolu_x');
    const next = await asked(run.id, 'action');
    expect(next.id).not.toBe(id);
    await decide(next.id, 'refused', { reason: 'Not that.' });
    const { text, isError } = said(await another);
    expect([isError, text.includes('Not that.')]).toEqual([true, true]);
    expect(said(await use(client, 'read_file', { path: 'asked.txt' })).text).toContain('allowed');
  });

  test('is asked about once for a run, when the person grants it to the run', async () => {
    const { run, client } = await askingRun();
    const input = { path: 'granted.txt', content: 'x' };
    const first = use(client, 'write_file', input);
    const { id } = await asked(run.id, 'action');
    expect(await decide(id, 'approved', { grant: 'run' })).toMatchObject({ grant: 'run' });
    expect(said(await first).isError).toBe(false);
    expect(said(await use(client, 'write_file', input)).isError).toBe(false);
    const other = use(client, 'write_file', { ...input, content: 'y' });
    expect((await asked(run.id, 'action')).id).not.toBe(id);
    await world.ok('POST', `${world.ws}/runs/${run.id}/cancel`);
    expect(said(await other).isError).toBe(true);
  });

  test('is left by a client that goes, and taken up by the one that comes after the decision', async () => {
    const { run, client, token } = await askingRun();
    const input = { path: 'left.txt', content: 'late' };
    const calling = use(client, 'write_file', input, 'toolu_l').catch((error: unknown) => error);
    const { id } = await asked(run.id, 'action');
    await client.close();
    expect(await calling).toBeInstanceOf(Error);
    await decide(id, 'approved');
    const next = await world.client(token);
    expect(said(await use(next, 'list_files')).text).not.toContain('left.txt');
    expect(said(await use(next, 'write_file', input, 'toolu_m')).isError).toBe(false);
    expect(said(await use(next, 'read_file', { path: 'left.txt' })).text).toContain('late');
    const again = use(next, 'write_file', input, 'toolu_n');
    expect((await asked(run.id, 'action')).id).not.toBe(id);
    await world.ok('POST', `${world.ws}/runs/${run.id}/cancel`);
    expect(said(await again).isError).toBe(true);
  });

  test('is taken back by the client’s word, and ends with its run', async () => {
    const { run, client, token } = await askingRun();
    const { promise: told, resolve } = Promise.withResolvers<number>();
    const quitter = await world.client(token, async (url, init) => {
      const response = await fetch(url, init);
      if (String(init?.body).includes('notifications/cancelled')) resolve(response.status);
      return response;
    });
    const gone = new AbortController();
    const input = { path: 'taken.txt', content: 'x' };
    const taken = quitter.callTool({ name: 'write_file', arguments: input }, undefined, {
      signal: gone.signal,
    });
    const { id } = await asked(run.id, 'action');
    gone.abort();
    await expect(taken).rejects.toThrow();
    expect(await told).toBe(202);
    await decide(id, 'approved');
    // Were the first call still waiting, it would have used the decision, and this one would ask anew.
    expect(said(await use(client, 'write_file', input)).isError).toBe(false);
    const other = { path: 'ended.txt', content: 'x' };
    const waiting = use(client, 'write_file', other);
    await until(
      async () => read(await use(person, 'list_approvals', { runId: run.id, status: 'pending' })).items,
      (items) => items.some((item: Json) => item.kind === 'action'),
    );
    await world.ok('POST', `${world.ws}/runs/${run.id}/cancel`);
    expect(said(await waiting).isError).toBe(true);
    await expect(use(client, 'list_files')).rejects.toThrow('its run has ended');
    await expect(world.client(token)).rejects.toThrow('its run has ended');
    const made = await world.api('POST', `${world.ws}/runs/${run.id}/tokens`, undefined, 'service:test');
    expect([made.status, made.body.code]).toEqual([409, 'wrong_status']);
  });
});

test('a way out of plan mode that a person grants over the tool protocol is taken by the agent’s later call', async () => {
  const { run, space, token } = await world.waitingRun('wait', { mode: 'plan' });
  const client = await world.client(token);
  const summary = { summary: 'A one-line change.' };
  const mode = async () => (await world.ok('GET', `${world.ws}/spaces/${space.id}`)).mode;
  expect(said(await use(client, 'exit_plan_mode', summary)).text).toContain('pending');
  expect(said(await use(client, 'exit_plan_mode', summary)).text).toContain('pending');
  const first = await asked(run.id, 'plan_exit');
  await decide(first.id, 'changesRequested', { reason: 'Say which line.' });
  expect(said(await use(client, 'exit_plan_mode', summary)).text).toContain('Say which line.');
  const second = await asked(run.id, 'plan_exit');
  expect(second.id).not.toBe(first.id);
  expect(await mode()).toBe('plan');
  await decide(second.id, 'approved', { digest: second.digest });
  expect(await mode()).toBe('plan');
  expect(said(await use(client, 'exit_plan_mode', summary)).text).toContain('Agent mode now');
  expect(await mode()).toBe('chat');
});
