import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '../test-bench.ts';
import { createMcpWorld, type Json, type McpWorld, read, said } from './test-world.ts';

let world: McpWorld;

beforeAll(async () => {
  const turns = [{ tools: [{ name: 'ask_user', input: { question: 'Which?' } }] }, { text: 'Thanks.' }];
  world = await createMcpWorld({ name: 'processes', dialogues: [{ name: 'wait', when: {}, turns }] }, true);
});
afterAll(() => world.end());

test('people and runs use their tools through a process that has no runs', async () => {
  const { run, token } = await world.waitingRun('wait');
  const [person, agent] = await Promise.all([world.client(world.ownerToken), world.client(token)]);
  expect((await agent.listTools()).tools.map(({ name }) => name)).toEqual(run.tools);
  const question = { name: 'ask_user', arguments: { question: 'And this?' } };
  const calling = agent.callTool(question);
  const asked = async () =>
    read(await person.callTool({ name: 'list_approvals', arguments: { runId: run.id } })).items;
  const items: Json[] = await until(asked, (all: Json[]) => all.length === 2);
  const id = items.find(({ arguments: { question: text } }) => text === 'And this?')?.id;
  const input = { approvalId: id, decision: 'approved', answer: 'That.' };
  expect(read(await person.callTool({ name: 'decide_approval', arguments: input })).status).toBe('approved');
  expect(said(await calling)).toEqual({ text: 'The answer: That.', isError: false });
  const audit = await world.ok('GET', `${world.ws}/audit?limit=100`);
  const decision = audit.items.find(({ subject }: Json) => subject === id);
  expect(decision.source).toMatchObject({ via: 'mcp', address: '127.0.0.1' });
});

test('a client that goes is known to be gone behind that process too', async () => {
  const { token } = await world.waitingRun('wait');
  const leaver = await world.client(token);
  const question = { name: 'ask_user', arguments: { question: 'Anybody?' } };
  const left = leaver.callTool(question).catch((error: unknown) => error);
  const asked = async () => (await world.ok('GET', `${world.ws}/approvals?status=pending`)).items;
  await until(asked, (all: Json[]) => all.some(({ arguments: { question: text } }) => text === 'Anybody?'));
  await leaver.close();
  expect(await left).toBeInstanceOf(Error);
  const next = await world.client(token);
  const again = next.callTool(question);
  const [{ id }] = (await asked()).filter(({ arguments: { question: text } }: Json) => text === 'Anybody?');
  await world.ok('POST', `${world.ws}/approvals/${id}/decision`, { decision: 'approved', answer: 'Yes.' });
  expect(said(await again).text).toContain('Yes.');
});

test('a run’s token opens nothing else of either process', async () => {
  const { run, token } = await world.waitingRun('wait');
  const paths = ['/api/me', `${world.ws}/runs`, `${world.ws}/mcp/token-holder`, '/internal/wake'];
  for (const path of paths) {
    const { status } = await fetch(world.url + path, { headers: { authorization: `Bearer ${token}` } });
    expect([path, status]).toEqual([path, 403]);
  }
  await world.ok('POST', `${world.ws}/runs/${run.id}/cancel`);
  await expect(world.client(token)).rejects.toThrow('its run has ended');
});
