import { afterEach, expect, test } from 'bun:test';
import type { RuleAction } from '../../../core-wasm/core.ts';
import type { ToolFinishedEntry } from '../harness/journal.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';

let bench: Bench;
afterEach(() => bench.close());

const runOf = (process: Process, id: string) => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`);
const atRest = (process: Process, id: string) =>
  until(
    () => runOf(process, id),
    ({ endedAt }) => endedAt !== null,
  );

async function resultsOf(process: Process, id: string): Promise<ToolFinishedEntry[]> {
  const path = `${WORKSPACE}/runs/${id}/entries?limit=500`;
  const { items } = await process.json<{ items: { entry: ToolFinishedEntry }[] }>('GET', path);
  return items.map(({ entry }) => entry).filter(({ kind }) => kind === 'toolFinished');
}

const toHelper = (task: string) => calls(['run_subagent', { task, agent: 'helper' }]);

/** A run of `engineer` whose helper's helper of the first name again writes a file. */
async function begin(action: RuleAction) {
  bench = await createBench(
    dialogues(
      onWord('write it', calls(['write_file', { path: 'b.txt', content: 'b' }]), { text: 'Tried.' }),
      onWord('pass it on', delegates('write it'), { text: 'Passed on.' }),
      onWord('start', toHelper('pass it on'), { text: 'Done.' }),
    ),
  );
  const engineer = bench.spaces.addAgent('engineer');
  const helper = bench.spaces.addAgent('helper');
  const conversation = bench.spaces.addConversation('chat', [bench.repository.source]);
  bench.spaces.policy.setRule('agent', engineer.id, 'file_write', action);
  bench.spaces.policy.setRule('agent', helper.id, 'file_write', 'allow');
  const process = await bench.process();
  const root = await process.createRun({
    ...{ agentId: engineer.id, conversationId: conversation.id, prompt: 'start' },
  });
  return { process, helper, root };
}

async function deepestOf(process: Process, rootId: string): Promise<Run> {
  const { items } = await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs?rootRunId=${rootId}`);
  return items.at(-1) as Run;
}

test('what a rule denies an agent it cannot have done by a sub-agent of another name, however deep', async () => {
  const { process, helper, root } = await begin('deny');
  expect((await atRest(process, root.id)).status).toBe('completed');
  const deepest = await deepestOf(process, root.id);
  expect(deepest.agentId).toBe(helper.id);
  const [tried] = await resultsOf(process, deepest.id);
  expect(tried).toMatchObject({ name: 'write_file', isError: true, decision: { decision: 'deny' } });
  expect(tried?.content).toContain('file_write is denied by the rule');
});

test('what people are asked about an agent they are asked about its sub-agents of another name', async () => {
  const { process, root } = await begin('ask');
  const [asked] = await until(
    async () => [...bench.spaces.approvals.values()],
    ({ length }) => length > 0,
  );
  expect(asked).toMatchObject({
    status: 'pending',
    arguments: { tool: 'write_file', asked: ['file_write'] },
  });
  await bench.spaces.decide(asked?.id as string, 'approved');
  expect((await atRest(process, root.id)).status).toBe('completed');
  const [done] = await resultsOf(process, (await deepestOf(process, root.id)).id);
  expect(done).toMatchObject({ name: 'write_file', isError: false });
});
