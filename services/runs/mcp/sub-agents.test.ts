import { afterAll, beforeAll, expect, test } from 'bun:test';
import { until } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';
import { createMcpWorld, type Json, type McpWorld, said } from './test-world.ts';

let world: McpWorld;
beforeAll(async () => {
  world = await createMcpWorld(
    dialogues(
      onWord('innermost', { text: 'The innermost is done.' }),
      onWord('inner', delegates('innermost'), { text: 'The inner one is done.' }),
      onWord('wait', calls(['ask_user', { question: 'Well?' }])),
      onWord('think long', { text: 'A long thought. '.repeat(400), chunkDelayMs: 100 }),
    ),
  );
});
afterAll(() => world.end());

const delegate = (client: Awaited<ReturnType<McpWorld['client']>>) =>
  client.callTool({ name: 'run_subagent', arguments: { task: 'inner' } });

test('a client of a run that waits gets the result of the sub-agent that it starts', async () => {
  const { token, run } = await world.waitingRun('wait');
  const { text, isError } = said(await delegate(await world.client(token)));
  expect([text, isError]).toEqual(['The inner one is done.', false]);
  const { items } = await world.ok('GET', `${world.ws}/runs?rootRunId=${run.id}`);
  expect(items.map(({ status }: Json) => status)).toEqual(['completed', 'completed']);
});

test('and so does the client of a run that is at work in the conversation itself', async () => {
  const { ws, agents } = world;
  const space = await world.ok('POST', `${ws}/spaces`, { name: 'busy', agents: [agents.ceo] });
  const run = await world.ok('POST', `${ws}/runs`, {
    ...{ agentId: agents.ceo, conversationId: space.mainConversationId, prompt: 'think long' },
    trigger: { kind: 'assignment', id: null },
  });
  const at = () => world.ok('GET', `${ws}/runs/${run.id}`);
  await until(at, ({ startedAt }) => startedAt !== null);
  const { token } = await world.ok('POST', `${ws}/runs/${run.id}/tokens`, undefined, 'service:test');
  expect(said(await delegate(await world.client(token)))).toEqual({
    text: 'The inner one is done.',
    isError: false,
  });
  expect(await at()).toMatchObject({ status: 'running', liveness: 'progressing' });
  await world.ok('POST', `${ws}/runs/${run.id}/cancel`);
});

test('a sub-agent that a client started ends with the run that did not wait for it, and so does what it asked', async () => {
  const { token, run } = await world.waitingRun('wait');
  const called = world
    .client(token)
    .then((client) => client.callTool({ name: 'run_subagent', arguments: { task: 'wait below' } }));
  const below = async () => (await world.ok('GET', `${world.ws}/runs?rootRunId=${run.id}`)).items as Json[];
  await until(below, ([child]) => child?.liveness === 'waiting');
  const questions = async () =>
    (await world.ok('GET', `${world.ws}/inbox`)).items.filter(({ rootRunId }: Json) => rootRunId === run.id);
  const own = (await questions()).find(({ runId }: Json) => runId === run.id);
  await world.ok('POST', `${world.ws}/approvals/${own.id}/decision`, { decision: 'approved', answer: 'x' });
  await until(
    () => world.ok('GET', `${world.ws}/runs/${run.id}`),
    ({ status }) => status === 'completed',
  );
  expect((await until(below, ([child]) => child?.endedAt !== null)).map(({ status }) => status)).toEqual([
    'cancelled',
  ]);
  await until(questions, ({ length }) => length === 0);
  await called.catch(() => undefined);
});
