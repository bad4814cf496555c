import { afterEach, expect, test } from 'bun:test';
import { type Bench, createBench, turns, until, WORKSPACE } from '../test-bench.ts';
import { calls } from '../test-dialogues.ts';
import type { Step } from './steps.ts';

let bench: Bench;
afterEach(() => bench.close());

test('the page tells a denied call from a refused one, an allowed one and one that failed by itself', async () => {
  bench = await createBench(
    turns(
      calls(['run_command', { command: 'git push' }], ['run_command', { command: 'false' }]),
      calls(['run_command', { command: 'true' }], ['read_file', { path: 'nowhere' }]),
      { text: 'Done.' },
    ),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const repositories = [{ name: 'app', path: bench.repository.source.path }];
  const { id: conversationId } = bench.spaces.addConversation('chat', repositories);
  const { policy } = bench.spaces;
  policy.setRule('workspace', null, 'git_push', 'deny');
  policy.setRule('workspace', null, 'process_launch', 'ask');
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId });
  for (const status of ['refused', 'approved'] as const) {
    const { waitingFor } = await until(
      () => process.settled(id),
      (run) => run.waitingFor !== null && policy.find(run.waitingFor).status === 'pending',
    );
    await bench.spaces.decide(waitingFor as string, status, { reason: 'No.' });
  }
  await until(
    () => process.settled(id),
    ({ status }) => status === 'completed',
  );
  const { steps } = await process.json<{ steps: Step[] }>('GET', `${WORKSPACE}/runs/${id}/page`);
  const shown = steps
    .flatMap((step) => step.calls)
    .map(({ state, decision, approvalId }) => [
      ...[state, decision?.decision ?? null, approvalId === null ? null : policy.find(approvalId).status],
    ]);
  expect(shown).toEqual([
    ['denied', 'deny', null],
    ['denied', 'ask', 'refused'],
    ['succeeded', 'ask', 'approved'],
    ['failed', 'allow', null],
  ]);
}, 20_000);
