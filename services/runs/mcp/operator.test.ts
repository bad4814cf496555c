import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { until } from '../test-bench.ts';
import { createMcpWorld, type Json, type McpWorld, read, said } from './test-world.ts';

let world: McpWorld;
let client: Client;

beforeAll(async () => {
  world = await createMcpWorld({
    name: 'operator',
    dialogues: [
      {
        name: 'ask',
        when: { user: 'ask' },
        turns: [{ tools: [{ name: 'ask_user', input: { question: 'Which?' } }] }, { text: 'Thanks.' }],
      },
    ],
    otherwise: { text: 'Hello.' },
  });
  client = await world.client(world.ownerToken);
});
afterAll(() => world.end());

const use = async (name: string, input: Json = {}, through = client) =>
  through.callTool({ name, arguments: input });
/** An approval that an agent asks for. */
const asked = (kind: string, key: string, args: Json = { tool: 'git_commit' }) =>
  world.ok(
    'POST',
    `${world.ws}/approvals`,
    { kind, requester: `agent:${world.agents.ceo}`, subject: key, arguments: args, key },
    'service:runs',
  );

test('a person is offered the operator’s tools, with hints and schemas', async () => {
  expect(client.getServerVersion()).toMatchObject({ name: 'control-center' });
  const { tools } = await client.listTools();
  const hints = tools.map(({ name, annotations }) => [
    name,
    annotations?.readOnlyHint,
    annotations?.destructiveHint,
  ]);
  expect(hints).toEqual([
    ['list_approvals', true, false],
    ['decide_approval', false, true],
    ['list_spaces', true, false],
    ['create_space', false, false],
    ['post_message', false, false],
    ['list_runs', true, false],
    ['get_run', true, false],
    ['cancel_run', false, true],
    ['list_orchestrations', true, false],
    ['explain_policy', true, false],
  ]);
  for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ additionalProperties: false });
});

test('spaces, messages and runs, in the person’s own name', async () => {
  const space = read(await use('create_space', { name: 'Over MCP', agents: ['ceo'] }));
  expect(space).toMatchObject({ name: 'Over MCP', mode: 'chat', agents: [world.agents.ceo] });
  const { items } = read(await use('list_spaces', { limit: 100 }));
  expect(items.map(({ id }: Json) => id)).toContain(space.id);
  const { message } = read(await use('post_message', { spaceId: space.id, body: 'ask me something' }));
  expect(message.author).toStartWith('person:mem_');
});

test('what the policy says of a command is told, and nothing runs', async () => {
  const said = read(await use('explain_policy', { command: 'git status && git push', mode: 'plan' }));
  expect(said).toMatchObject({ decision: 'deny', command: 'git status && git push' });
  const call = read(await use('explain_policy', { tool: 'git_commit', input: { message: 'x' } }));
  expect(call).toMatchObject({ decision: 'allow', classes: ['git_commit'] });
  expect(read(await use('explain_policy', {})).error.code).toBe('invalid_request');
});

test('a fault is an error with its code, and names every wrong field', async () => {
  const unknown = await use('get_run', { runId: 'run_none' });
  expect([said(unknown).isError, read(unknown).error]).toMatchObject([true, { code: 'not_found' }]);
  const wrong = read(await use('create_space', { mode: 'review', agents: 'ceo', more: 1, name: 'a\0b' }));
  expect(wrong.error.code).toBe('invalid_request');
  for (const part of ['mode:', 'agents:', 'more']) expect(wrong.error.message).toContain(part);
  const nul = read(await use('create_space', { name: 'a\0b' }));
  expect(nul.error.message).toContain('NUL');
  const both = read(await use('post_message', { spaceId: 'a', conversationId: 'b', body: 'x' }));
  expect(both.error.message).toContain('either conversationId or spaceId');
  expect(read(await use('create_space', { name: 'x', agents: ['nobody'] })).error).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('ceo'),
  });
  await expect(use('approve_orchestration', {})).rejects.toThrow(
    'There is no tool "approve_orchestration" here',
  );
});

describe('decide_approval', () => {
  test('of twenty calls at once one succeeds and nineteen are told', async () => {
    const { id, digest } = await asked('action', 'race');
    const clients = await Promise.all([client, world.client(world.ownerToken)]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        use(
          'decide_approval',
          { approvalId: id, digest, decision: i % 2 ? 'approved' : 'refused' },
          clients[i % 2],
        ),
      ),
    );
    const won = answers.filter((answer) => !said(answer).isError);
    expect(won.length).toBe(1);
    const lost = answers.filter((answer) => said(answer).isError).map((answer) => read(answer).error.code);
    expect(lost).toEqual(Array.from({ length: 19 }, () => 'already_decided'));
    const stands = await world.ok('GET', `${world.ws}/approvals/${id}`);
    expect(read(won[0])).toMatchObject({ id, status: stands.status });
  });

  test('is bound to what was read', async () => {
    const { id } = await asked('action', 'bound');
    const other = read(
      await use('decide_approval', { approvalId: id, decision: 'approved', digest: 'of something else' }),
    );
    expect(other.error.code).toBe('conflict');
    const { items, count } = read(await use('list_approvals', { limit: 100 }));
    expect(count).toBe(items.length);
    const [mine] = items.filter((item: Json) => item.id === id);
    const done = read(
      await use('decide_approval', {
        approvalId: id,
        decision: 'refused',
        digest: mine.digest,
        reason: 'No.',
      }),
    );
    expect(done).toMatchObject({ status: 'refused', decision: { reason: 'No.' } });
  });

  test('answers a question, and the run goes on', async () => {
    const { run } = await world.waitingRun('ask');
    const { items } = read(await use('list_approvals', { runId: run.id }));
    const [{ id: approvalId, kind }] = items;
    expect(kind).toBe('question');
    await use('decide_approval', { approvalId, decision: 'approved', answer: 'The first.' });
    const ended = await until(
      async () => read(await use('get_run', { runId: run.id })),
      ({ status }) => status === 'completed',
    );
    expect(ended).toMatchObject({ summary: expect.stringContaining('Thanks.') });
    expect(JSON.stringify(world.model.requests.at(-1)?.body.messages)).toContain('The first.');
  });

  test('decides no plan and no orchestration, for anybody', async () => {
    const { id } = await asked('orchestration', 'team', { orchestrationId: 'orc_1', revision: 1 });
    for (const decision of ['approved', 'refused']) {
      const { error } = read(await use('decide_approval', { approvalId: id, decision }));
      expect(error).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('cctl approve orc_1'),
      });
    }
    expect(await world.ok('GET', `${world.ws}/approvals/${id}`)).toMatchObject({ status: 'pending' });
  });
});
