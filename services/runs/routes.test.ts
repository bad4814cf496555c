import { afterEach, describe, expect, test } from 'bun:test';
import type { HostFacts } from '../runner/runner.ts';
import { type Bench, createBench, turns, until, WORKSPACE } from './test-bench.ts';

let bench: Bench;
afterEach(() => bench.close());

describe('what runs tell of themselves', () => {
  test('histories hold completed runs only, with known costs', async () => {
    bench = await createBench(turns({ text: 'Done.' }));
    const { id: priced } = bench.spaces.addAgent('priced');
    const { id: unpriced } = bench.spaces.addAgent('unpriced', { modelId: 'unpriced-model' });
    const process = await bench.process();
    const made = await Promise.all([priced, unpriced].map((agentId) => process.createRun({ agentId })));
    const [run] = await Promise.all(made.map(({ id }) => process.settled(id)));
    bench.model.setScript(turns({ text: 'x', stopReason: 'refusal' }));
    const failed = await process.createRun({ agentId: priced });
    expect(await process.settled(failed.id)).toMatchObject({ status: 'failed', errorFamily: 'refused' });
    const path = `${WORKSPACE}/histories?agentIds=${priced},${unpriced},agt_none`;
    expect(await process.json<object>('GET', path)).toEqual({
      [priced]: {
        costMicros: [run?.costMicros],
        durationMs: [(run?.endedAt ?? 0) - (run?.startedAt ?? 0)],
        runs: 1,
      },
      [unpriced]: { costMicros: [], durationMs: [expect.any(Number)], runs: 1 },
      agt_none: { costMicros: [], durationMs: [], runs: 0 },
    });
  });

  test('a run says how much of its prompts came from the cache; null before there was one', async () => {
    const usage = { inputTokens: 5, outputTokens: 1, cacheReadTokens: 90, cacheWriteTokens: 5 };
    bench = await createBench(turns({ text: 'Done.', usage }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process();
    const made = await process.createRun({ agentId });
    const settled = await process.settled(made.id);
    expect([made.cacheReadShare, settled.cacheReadShare]).toEqual([null, 0.9]);
  });

  test('lists page by id and filter; entries page by number', async () => {
    bench = await createBench(turns({ text: 'Done.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process();
    const made = await Promise.all([1, 2, 3].map(() => process.createRun({ agentId })));
    await Promise.all(made.map(({ id }) => process.settled(id)));
    const ids = made.map(({ id }) => id).toSorted();
    const page = (query: string) =>
      process.json<{ items: { id: string }[]; next: string | null }>('GET', `${WORKSPACE}/runs?${query}`);
    const first = await page('limit=2&status=completed');
    expect([first.items.map(({ id }) => id), first.next]).toEqual([ids.slice(0, 2), ids[1] as string]);
    const second = await page(`limit=2&after=${first.next}`);
    expect([second.items.map(({ id }) => id), second.next]).toEqual([ids.slice(2), null]);
    const newest = await page(`agentId=${agentId}&order=newest&limit=2`);
    expect([newest.items.map(({ id }) => id), newest.next]).toEqual([
      [ids[2], ids[1]] as string[],
      ids[1] as string,
    ]);
    const oldest = await page(`agentId=${agentId}&limit=2&before=${newest.next}`);
    expect([oldest.items.map(({ id }) => id), oldest.next]).toEqual([ids.slice(0, 1), null]);
    for (const bothWays of [`before=${ids[2]}&after=${ids[0]}`, `before=${ids[2]}&order=oldest`])
      expect((await process.call('GET', `${WORKSPACE}/runs?${bothWays}`)).status).toBe(400);
    expect((await page('agentId=agt_other')).items).toEqual([]);
    expect((await process.call('GET', `${WORKSPACE}/runs?status=nonsense`)).status).toBe(400);
    const entries = await process.json<object>('GET', `${WORKSPACE}/runs/${ids[0]}/entries?limit=1`);
    expect(entries).toMatchObject({ items: [{ seq: 1, entry: { kind: 'user' } }], next: '1' });
  });

  test('host, models and repositories are told by the runner and the catalogue', async () => {
    bench = await createBench(turns({ text: 'Done.' }));
    const process = await bench.process();
    expect((await process.json<HostFacts>('GET', `${WORKSPACE}/host`)).sandbox.backend).toBe(null);
    const models = await process.json<object>('GET', `${WORKSPACE}/models`);
    expect(models).toMatchObject({
      defaultModel: 'test-model',
      items: [
        {
          id: 'test-model',
          provider: 'anthropic',
          contextTokens: 200_000,
          effort: [],
          media: ['image', 'pdf'],
        },
        { id: 'unpriced-model', prices: null },
      ],
    });
    expect(JSON.stringify(models)).not.toMatch(/key|127\.0\.0\.1/i);
    const inspect = `${WORKSPACE}/repositories/inspect`;
    const facts = await process.json<object>('POST', inspect, { path: bench.repository.source.path });
    expect(facts).toMatchObject({ path: bench.repository.source.path, defaultBranch: 'main', dirty: false });
    expect((await process.call('POST', inspect, { path: '/nowhere' })).status).toBe(422);
    expect((await process.call('GET', `${WORKSPACE}/budgets/none`)).status).toBe(404);
    const commit = { conversationId: 'cnv_none', message: 'm', agentId: 'agt_1', key: 'k' };
    expect(await process.json<object>('POST', `${WORKSPACE}/worktrees/commit`, commit)).toEqual({
      ...{ commit: null, files: 0, branch: null },
    });
  });

  test('a stream tells a live run and ends with it', async () => {
    bench = await createBench(turns({ text: 'Hello there, Ada.', delayMs: 200, chunkChars: 4 }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process();
    const run = await process.createRun({ agentId });
    const response = await process.call('GET', `${WORKSPACE}/runs/${run.id}/stream`);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text()).split('\n\n').filter((text) => text.startsWith('event:'));
    const data = events.map((text) => JSON.parse(text.slice(text.indexOf('data: ') + 6)) as { type: string });
    const text = data.map((item) => ('text' in item ? item.text : '')).join('');
    expect([text, data.at(-1)?.type]).toEqual(['Hello there, Ada.', 'left']);
    const late = await process.call('GET', `${WORKSPACE}/runs/${run.id}/stream`);
    expect(await late.text()).toContain('event: left');
  });
});

test('a conversation whose agent, repository or peer is missing fails or pauses its run, with the reason', async () => {
  bench = await createBench(turns({ text: 'Done.' }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const gone = bench.spaces.addConversation('chat', [{ name: 'app', path: '/nowhere' }]);
  const process = await bench.process();
  const run = await process.createRun({ agentId, conversationId: gone.id });
  const failed = await process.settled(run.id);
  expect(failed).toMatchObject({ status: 'failed', liveness: 'failed', errorFamily: 'toolFailure' });
  expect(failed.summary).toContain('/nowhere');
  const tried = await process.call('POST', `${WORKSPACE}/runs`, {
    ...{ agentId: 'agt_none', trigger: { kind: 'assignment' }, prompt: 'x' },
  });
  expect(tried.status).toBe(404);
  await until(
    () => bench.events('run.ended'),
    (events) => events.length === 1,
  );
});
