import { afterEach, expect, test } from 'bun:test';
import { type Bench, createBench, turns, WORKSPACE } from '../test-bench.ts';
import { calls } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

test('a mode that changes while a run waits holds for its next call, and the next run has the new surface', async () => {
  bench = await createBench(
    turns(
      calls(['ask_user', { question: 'May I?' }]),
      calls(['write_file', { path: 'late.txt', content: 'late' }]),
      { text: 'Refused.' },
    ),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  const begun = await process.createRun({ agentId, conversationId: conversation.id });
  const { waitingFor } = await process.settled(begun.id);
  conversation.space.mode = 'plan';
  await bench.spaces.decide(waitingFor as string, 'approved');
  const isOver = async () => (await bench.events('run.ended')).length > 0;
  while (!(await isOver())) await process.databases.wakes.wait(WORKSPACE, 100);
  const run = await process.settled(begun.id);
  expect(run).toMatchObject({ status: 'completed', mode: 'chat' });
  expect(run.tools).toContain('write_file');
  const [refused] = (await bench.events('run.tool')).filter(({ data }) => data.isError === true);
  expect(refused?.data).toMatchObject({ name: 'write_file' });
  expect(String(refused?.data.summary)).toContain('Plan mode');
  const ref = { workspaceId: WORKSPACE, conversationId: conversation.id, repository: 'app' };
  expect((await process.runner.gitStatus(ref)).dirty).toEqual([]);

  bench.model.setScript(turns({ text: 'No plan is needed.' }, { text: 'None, really.' }));
  const next = await process.createRun({ agentId, conversationId: conversation.id, prompt: 'And now?' });
  const { mode, tools } = await process.settled(next.id);
  expect(mode).toBe('plan');
  expect([tools.includes('write_file'), tools.includes('exit_plan_mode')]).toEqual([false, true]);
  expect(bench.model.requests.at(-1)?.body.tools?.map(({ name }) => name)).toEqual(tools);
});

test('a thread has the mode of its space, what belongs to no space is chat, and ids of others are not found', async () => {
  bench = await createBench(turns({ text: 'Done.' }, { text: 'Done.' }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const conversation = bench.spaces.addConversation('review', [bench.repository.source]);
  const thread = bench.spaces.addThread(conversation);
  const process = await bench.process();
  const inThread = await process.createRun({ agentId, conversationId: thread.id });
  expect(await process.settled(inThread.id)).toMatchObject({
    mode: 'review',
    spaceId: conversation.space.id,
  });
  const nowhere = await process.createRun({ agentId });
  expect(await process.settled(nowhere.id)).toMatchObject({ mode: 'chat', spaceId: null });
  await process.databases.create('ws_other');
  const body = { agentId, prompt: 'x', trigger: { kind: 'assignment' } };
  const foreign = [
    process.call('POST', `${WORKSPACE}/runs`, { ...body, conversationId: 'cnv_of_another' }),
    process.call('POST', `${WORKSPACE}/runs`, { ...body, parentRunId: 'run_of_another' }),
    process.call('POST', 'ws_other/runs', { ...body, conversationId: conversation.id }),
    process.call('POST', 'ws_other/runs', { ...body, parentRunId: nowhere.id }),
  ];
  expect((await Promise.all(foreign)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  const other = await process.json<{ items: unknown[] }>('GET', `ws_other/runs?rootRunId=${nowhere.id}`);
  expect(other.items).toEqual([]);
});
