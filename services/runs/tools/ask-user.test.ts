import { afterEach, expect, test } from 'bun:test';
import { type Bench, createBench, turns, until, WORKSPACE } from '../test-bench.ts';

let bench: Bench;
afterEach(() => bench.close());

const ASKING = turns(
  { tools: [{ name: 'ask_user', input: { question: 'Which colour?', choices: ['red', 'blue'] } }] },
  { text: 'It is settled.' },
);

async function askedRun() {
  bench = await createBench(ASKING);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('plan');
  bench.spaces.conversations.get(conversationId)!.space.mode = 'chat';
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId });
  const run = await process.settled(id);
  expect(run).toMatchObject({ status: 'running', liveness: 'waiting' });
  return { process, run, conversationId };
}

test('a question waits over a restart and is answered exactly once', async () => {
  const { process, run } = await askedRun();
  await process.stop();
  const [approval] = bench.spaces.approvals.values();
  expect(approval?.id).toBe(run.waitingFor as string);
  await bench.spaces.decide(run.waitingFor as string, 'approved', { answer: 'blue' });
  const next = await bench.process();
  expect(await next.settled(run.id)).toMatchObject({
    status: 'completed',
    output: { text: 'It is settled.' },
  });
  const sent = JSON.stringify(bench.model.requests.at(-1)?.body.messages);
  expect(sent).toContain('The answer: blue');
  expect(bench.model.requests.length).toBe(2);
  expect(bench.spaces.approvals.size).toBe(1);
  expect(bench.spaces.messages.filter(({ kind }) => kind === 'question').length).toBe(1);
});

test('a decision while the server runs wakes the run', async () => {
  const { process, run } = await askedRun();
  await bench.spaces.decide(run.waitingFor as string, 'refused', { reason: 'not now' });
  await until(
    () => bench.events('run.ended'),
    (events) => events.length === 1,
  );
  expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('declined: not now');
  expect(await process.settled(run.id)).toMatchObject({ status: 'completed' });
});

test('a run that waits does not hold its conversation, and cancelling it withdraws the question', async () => {
  const { process, run, conversationId } = await askedRun();
  bench.model.setScript(turns({ text: 'I am another run.' }));
  const other = await process.createRun({ agentId: run.agentId, conversationId });
  expect(await process.settled(other.id)).toMatchObject({ status: 'completed' });
  await process.json('POST', `${WORKSPACE}/runs/${run.id}/cancel`);
  expect(await process.settled(run.id)).toMatchObject({ status: 'cancelled', waitingFor: null });
  expect(bench.spaces.approvals.get(run.waitingFor as string)?.status).toBe('superseded');
});
