import { afterEach, expect, test } from 'bun:test';
import { Fault } from '../../kit/fault.ts';
import { type Bench, createBench, turns, until } from '../test-bench.ts';

let bench: Bench | null = null;
afterEach(() => bench?.close());

/** A process whose peer is away for so many looks at the list of agents, which every start in a conversation takes. */
async function processWith(awayFor: number) {
  bench = await createBench(turns({ text: 'Done.' }));
  const { spaces } = bench;
  const port = spaces.port();
  let looks = 0;
  const agents: typeof port.agents = async (workspaceId) => {
    const message = 'The service at http://127.0.0.1:9 cannot be reached.';
    if (looks++ < awayFor) throw new Fault('unavailable', message, { peer: 'http://127.0.0.1:9' });
    return port.agents(workspaceId);
  };
  const process = await bench.process({ deps: { spaces: { ...port, agents } } });
  const agentId = spaces.addAgent('qa').id;
  const conversationId = spaces.addConversation('chat').id;
  return { run: await process.createRun({ agentId, conversationId }), process, looks: () => looks };
}

test('a run that cannot be prepared while a peer is away goes on when it is back, without a person', async () => {
  const { run, process, looks } = await processWith(2);
  expect(await process.settled(run.id)).toMatchObject({ status: 'completed', errorFamily: null });
  expect(looks()).toBe(3);
});

test('one that waits for a peer can be cancelled', async () => {
  const { run, process, looks } = await processWith(Number.POSITIVE_INFINITY);
  await until(
    async () => looks(),
    (count) => count > 0,
  );
  await process.json('POST', `ws_test/runs/${run.id}/cancel`);
  expect(await process.settled(run.id)).toMatchObject({ status: 'cancelled' });
});

test('one that waits for a peer can be paused', async () => {
  const { run, process, looks } = await processWith(Number.POSITIVE_INFINITY);
  await until(
    async () => looks(),
    (count) => count > 0,
  );
  await process.json('POST', `ws_test/runs/${run.id}/pause`);
  expect(await process.settled(run.id)).toMatchObject({
    status: 'paused',
    errorFamily: null,
    startedAt: null,
  });
});

test('one that has come to its end and cannot say so while a peer is away can be cancelled within two seconds', async () => {
  bench = await createBench(turns({ text: 'Done.' }));
  const { spaces } = bench;
  const port = spaces.port();
  let posts = 0;
  // As a connection that is tried again and again before it is given up.
  const { promise: away, reject: giveUp } = Promise.withResolvers<never>();
  const postMessage: typeof port.postMessage = () => {
    posts++;
    return away;
  };
  const supersedeOfRun: typeof port.supersedeOfRun = () => away;
  const process = await bench.process({ deps: { spaces: { ...port, postMessage, supersedeOfRun } } });
  const agentId = spaces.addAgent('qa').id;
  const conversationId = spaces.addConversation('chat').id;
  const trigger = { kind: 'userMessage', id: 'msg_1' } as const;
  const { id } = await process.createRun({ agentId, conversationId, trigger });
  await until(
    async () => posts,
    (count) => count === 1,
  );
  const cancelledAt = performance.now();
  const cancel = process.json('POST', `ws_test/runs/${id}/cancel`);
  await Promise.race([cancel, Bun.sleep(2_500)]);
  const waitedMs = performance.now() - cancelledAt;
  giveUp(new Fault('unavailable', 'The service at http://127.0.0.1:9 cannot be reached.'));
  expect(await cancel).toMatchObject({ status: 'cancelled' });
  expect(waitedMs).toBeLessThan(2_400);
  expect(posts).toBe(1);
});
