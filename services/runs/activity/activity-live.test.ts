import { afterEach, expect, test } from 'bun:test';
import { readSse } from '../../kit/read-sse.ts';
import type { Run } from '../runs/schema.ts';
import type { TreeNode } from '../runs/tree-node.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';
import type { AgentActivity } from './activity.ts';

let bench: Bench;
afterEach(() => bench.close());

const read = async (process: Process) =>
  (await process.json<{ items: AgentActivity[] }>('GET', `${WORKSPACE}/activities`)).items;
const states = async (process: Process) =>
  (
    await process.json<{ items: { agentId: string; state: string; runId: string | null }[] }>(
      'GET',
      `${WORKSPACE}/live-states`,
    )
  ).items;

/** What the stream tells, each state with its tool, until the agent is done. */
async function followed(process: Process): Promise<{ seen: string[]; end: () => void }> {
  const gone = new AbortController();
  const response = await process.call('GET', `${WORKSPACE}/activities/stream`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const seen: string[] = [];
  const body = response.body!.pipeThrough(new TransformStream(), { signal: gone.signal });
  void (async () => {
    for await (const { data } of readSse(body)) {
      const { items } = JSON.parse(data) as { items: AgentActivity[] };
      const told = items.map(({ state, tool }) => (tool === null ? state : `${state} ${tool}`)).join(', ');
      if (told !== seen.at(-1)) seen.push(told);
    }
  })().catch((error: unknown) => seen.push(String(error)));
  return { seen, end: () => gone.abort() };
}

test('a stream tells what an agent does: thinking, running a tool, waiting for a person, done', async () => {
  bench = await createBench(
    turns(
      { tools: [{ name: 'run_command', input: { command: 'sleep 1' } }], delayMs: 200 },
      { tools: [{ name: 'ask_user', input: { question: 'Which?' } }] },
      { text: 'Done.' },
    ),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const repositories = [{ name: 'app', path: bench.repository.source.path }];
  const { id: conversationId } = bench.spaces.addConversation('chat', repositories);
  bench.spaces.policy.setRule('workspace', null, 'process_launch', 'allow');
  const process = await bench.process();
  const { seen, end } = await followed(process);
  expect(await states(process)).toMatchObject([{ agentId, state: 'neverRun', runId: null }]);
  const { id } = await process.createRun({ agentId, conversationId });
  await until(
    async () => seen.at(-1),
    (last) => last === 'runningTool run_command',
  );
  expect(await states(process)).toMatchObject([
    { agentId, state: 'running', runId: id, status: 'running', conversationId, errorFamily: null },
  ]);
  const waiting = await process.settled(id);
  await until(
    async () => seen.at(-1),
    (last) => last?.startsWith('waitingForApproval') ?? false,
  );
  expect(await read(process)).toMatchObject([
    { agentId, runId: id, conversationId, state: 'waitingForApproval', approvalId: waiting.waitingFor },
  ]);
  await bench.spaces.decide(waiting.waitingFor as string, 'approved', { answer: 'That.' });
  await until(
    async () => seen.at(-1),
    (last) => last === 'done',
  );
  expect(await states(process)).toMatchObject([{ agentId, state: 'idle', runId: id }]);
  const order = ['', 'thinking', 'runningTool run_command', 'thinking'];
  expect(seen.slice(0, order.length)).toEqual(order);
  end();
}, 20_000);

test('after a restart who waits still waits, and who is done is done', async () => {
  bench = await createBench(
    dialogues(onWord('ask', calls(['ask_user', { question: 'Which?' }])), onWord('say', { text: 'Said.' })),
  );
  const [asks, says] = [bench.spaces.addAgent('asks'), bench.spaces.addAgent('says')];
  const { id: conversationId } = bench.spaces.addConversation('chat');
  const first = await bench.process();
  const waiting = await first.createRun({ agentId: asks.id, conversationId, prompt: 'ask' });
  const said = await first.createRun({ agentId: says.id, prompt: 'say' });
  await Promise.all([first.settled(waiting.id), first.settled(said.id)]);
  await first.stop();
  const second = await bench.process();
  expect((await read(second)).toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1))).toMatchObject([
    { agentId: asks.id, state: 'waitingForApproval', runId: waiting.id },
    { agentId: says.id, state: 'done', runId: said.id },
  ]);
  expect((await states(second)).map(({ state }) => state)).toEqual(['running', 'idle']);
}, 20_000);

test('the tree and the page of a run that delegated, told over HTTP', async () => {
  bench = await createBench(
    dialogues(
      onWord('lead', delegates('look here', 'look there'), { text: 'Both looked.' }),
      onWord('look', calls(['read_file', { path: 'README.md' }]), { text: 'Seen.' }),
    ),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const repositories = [{ name: 'app', path: bench.repository.source.path }];
  const { id: conversationId } = bench.spaces.addConversation('chat', repositories);
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId, prompt: 'lead' });
  const run = await until(
    () => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`),
    ({ status }) => status === 'completed',
  );
  const tree = await process.json<TreeNode>('GET', `${WORKSPACE}/runs/${run.children[1]}/tree`);
  expect(tree).toMatchObject({ id, state: 'succeeded', agentName: 'engineer', costMicros: run.costMicros });
  expect(tree.children.map((child) => [child.id, child.state, child.parentRunId])).toEqual(
    run.children.map((child) => [child, 'succeeded', id]),
  );
  const sum = [tree, ...tree.children].reduce((total, { costMicros }) => total + (costMicros ?? 0), 0);
  expect(tree.treeCostMicros).toBe(sum);
  expect(sum).toBeGreaterThan(run.costMicros ?? 0);
  const trees = await process.json<{ items: TreeNode[] }>(
    'GET',
    `${WORKSPACE}/runs/trees?conversationId=${conversationId}`,
  );
  expect(trees).toEqual({ items: [tree], next: null } as never);
  const page = await process.json<PageShape>('GET', `${WORKSPACE}/runs/${run.children[0]}/page`);
  expect(
    page.steps.map(({ text, calls: made }) => [text, made.map(({ name, state }) => [name, state])]),
  ).toEqual([
    ['', [['read_file', 'succeeded']]],
    ['Seen.', []],
  ]);
  expect(page.steps[0]?.calls[0]?.output).toContain('one');
  for (const side of ['tree', 'page', 'prompt'])
    expect((await process.call('GET', `${WORKSPACE}/runs/run_none/${side}`)).status).toBe(404);
  expect((await process.call('GET', `${WORKSPACE}/runs/trees`)).status).toBe(400);
}, 20_000);

interface PageShape {
  steps: { text: string; calls: { name: string; state: string; output: string | null }[] }[];
}
