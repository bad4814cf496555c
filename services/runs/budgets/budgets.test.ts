import { afterEach, describe, expect, test } from 'bun:test';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import type { Budget } from './schema.ts';

let bench: Bench;
afterEach(() => bench.close());

const SCOPE = 'orc_1';
/** With a price of one micro-dollar a token, each call costs 500; the model may cost up to its prompt and 1,000. */
const usage = { inputTokens: 100, outputTokens: 400, cacheReadTokens: 0, cacheWriteTokens: 0 };
const CALL_MICROS = 500;
const look = (path: string) => ({ tools: [{ name: 'list_tickets', input: { projectId: path } }], usage });

const budgetOf = (process: { json<T>(method: string, path: string): Promise<T> }) =>
  process.json<Budget>('GET', `${WORKSPACE}/budgets/${SCOPE}`);

const ended = (process: Process, id: string) =>
  until(
    () => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`),
    ({ endedAt }) => endedAt !== null,
  );

describe('a shared budget', () => {
  test('of ten runs in parallel is passed by one call at most, and says so once', async () => {
    bench = await createBench(turns(look('a'), look('b'), look('c'), { text: 'Done.', usage }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process({ deps: { concurrency: 10 } });
    const capMicros = 6_250;
    await process.json('PUT', `${WORKSPACE}/budgets/${SCOPE}`, { capMicros });
    const made = await Promise.all(
      Array.from({ length: 10 }, () => process.createRun({ agentId, budgetScope: SCOPE })),
    );
    const ended = await Promise.all(made.map(({ id }) => process.settled(id)));
    const budget = await budgetOf(process);
    expect(budget.spentMicros).toBe(ended.reduce((sum, { costMicros }) => sum + (costMicros as number), 0));
    expect(budget.spentMicros).toBeGreaterThanOrEqual(capMicros);
    expect(budget.spentMicros).toBeLessThanOrEqual(capMicros + CALL_MICROS);
    expect(budget.reservedMicros).toBe(0);
    expect(ended.some(({ status, errorFamily }) => status === 'paused' && errorFamily === 'budget')).toBe(
      true,
    );
    const counts = ['budget.warned', 'budget.reached'].map(async (type) => (await bench.events(type)).length);
    expect(await Promise.all(counts)).toEqual([1, 1]);
  });

  test('that is raised lets paused runs go on', async () => {
    bench = await createBench(turns(look('a'), look('b'), { text: 'Done.', usage }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process();
    await process.json('PUT', `${WORKSPACE}/budgets/${SCOPE}`, { capMicros: 900 });
    const { id } = await process.createRun({ agentId, budgetScope: SCOPE });
    expect(await process.settled(id)).toMatchObject({
      status: 'paused',
      errorFamily: 'budget',
      costMicros: 1_000,
    });
    await process.json('PUT', `${WORKSPACE}/budgets/${SCOPE}`, { capMicros: 9_000 });
    expect(await ended(process, id)).toMatchObject({ status: 'completed', costMicros: 1_500 });
    expect(await budgetOf(process)).toEqual({
      ...{ target: SCOPE, scope: SCOPE, capMicros: 9_000, spentMicros: 1_500, reservedMicros: 0 },
      ...{ unknownCalls: 0, unknownMicros: 0 },
    });
  });

  test('refuses a model without a price, which costs an unknown sum without a cap', async () => {
    bench = await createBench(turns({ text: 'Done.' }));
    const { id: agentId } = bench.spaces.addAgent('engineer', { modelId: 'unpriced-model' });
    const process = await bench.process();
    const free = await process.createRun({ agentId, budgetScope: 'uncapped' });
    expect(await process.settled(free.id)).toMatchObject({ status: 'completed', costMicros: null });
    expect(await process.json<Budget>('GET', `${WORKSPACE}/budgets/uncapped`)).toMatchObject({
      ...{ capMicros: null, spentMicros: 0, unknownCalls: 1 },
    });
    await process.json('PUT', `${WORKSPACE}/budgets/${SCOPE}`, { capMicros: 9_000 });
    const capped = await process.createRun({ agentId, budgetScope: SCOPE });
    expect(await process.settled(capped.id)).toMatchObject({ status: 'paused', errorFamily: 'budget' });
    expect(bench.model.requests.length).toBe(1);
  });

  test('is closed for agents and people, and its runs are cancelled together', async () => {
    bench = await createBench(turns({ text: 'Done.', delayMs: 5_000 }));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const process = await bench.process({ deps: { concurrency: 1 } });
    const path = `${WORKSPACE}/budgets/${SCOPE}`;
    const tried = await process.call('PUT', path, { capMicros: 1 }, 'person:mem_ada');
    expect(tried.status).toBe(403);
    const made = await Promise.all([1, 2].map(() => process.createRun({ agentId, budgetScope: SCOPE })));
    await until(
      async () => bench.model.requests.length,
      (count) => count === 1,
    );
    const { cancelled } = await process.json<{ cancelled: string[] }>('POST', `${WORKSPACE}/runs/cancel`, {
      budgetScope: SCOPE,
    });
    expect(new Set(cancelled)).toEqual(new Set(made.map(({ id }) => id)));
    const runs = await Promise.all(made.map(({ id }) => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`)));
    expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });
});
