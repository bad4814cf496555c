import { afterEach, expect, test } from 'bun:test';
import type { ToolFinishedEntry } from '../harness/journal.ts';
import { type Bench, createBench, turns, WORKSPACE } from '../test-bench.ts';
import { calls } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

const LEAVE: [string, unknown] = ['exit_plan_mode', { summary: 'I would just do it' }];

test('leaving plan mode is pending at every call, with one gate, and nothing waits for it', async () => {
  bench = await createBench(turns(calls(LEAVE, LEAVE), calls(LEAVE), { text: 'a' }, { text: 'b' }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('plan');
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId: conversation.id });
  expect(await process.settled(id)).toMatchObject({ status: 'completed' });
  expect((await bench.events('run.waiting')).length).toBe(0);
  const path = `${WORKSPACE}/runs/${id}/entries`;
  const { items } = await process.json<{ items: { entry: ToolFinishedEntry }[] }>('GET', path);
  const results = items.map(({ entry }) => entry).filter(({ kind }) => kind === 'toolFinished');
  expect(results.map(({ isError, content }) => [isError, content.includes('pending')])).toEqual([
    ...[1, 2, 3].map(() => [false, true]),
  ]);
  expect([...bench.spaces.approvals.values()].map(({ kind }) => kind)).toEqual(['plan_exit']);
  expect(conversation.space.mode).toBe('plan');
});

test('it says so when there is no plan mode to leave any more, and when it is called out of its place', async () => {
  bench = await createBench(
    turns(
      calls(LEAVE, ['exit_plan_mode', { summary: ' ' }]),
      ...['No plan is needed.', 'None.'].map((text) => ({ text })),
    ),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('plan');
  const port = bench.spaces.port();
  // The space leaves plan mode by a person's hand after the run began.
  const leavePlanMode: typeof port.leavePlanMode = (...request) => {
    conversation.space.mode = 'chat';
    return port.leavePlanMode(...request);
  };
  const process = await bench.process({ deps: { spaces: { ...port, leavePlanMode } } });
  const { id } = await process.createRun({ agentId, conversationId: conversation.id });
  await process.settled(id);
  const told = JSON.stringify(bench.model.requests[1]?.body.messages);
  expect(told).toContain('is not in plan mode, so there is nothing to exit');
  expect(told).toContain('The input of exit_plan_mode is not valid');
  bench.model.setScript(turns(calls(LEAVE), { text: 'Done.' }));
  const inChat = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'x' });
  await process.settled(inChat.id);
  expect(JSON.stringify(bench.model.requests.at(-1)?.body.messages)).toContain('There is no tool');
});
