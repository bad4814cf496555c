import { afterEach, expect, test } from 'bun:test';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import type { Budget } from './schema.ts';

let bench: Bench;
afterEach(() => bench.close());

/** With a price of one micro-dollar a token, each call costs 500. */
const usage = { inputTokens: 100, outputTokens: 400, cacheReadTokens: 0, cacheWriteTokens: 0 };
const look = (projectId: string) => ({ tools: [{ name: 'list_tickets', input: { projectId } }], usage });
const PERSON = 'person:mem_ada';
const DECEMBER = Date.UTC(2026, 11, 1);

const runOf = (process: Process, id: string) => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`);
const inStatus = (process: Process, id: string, wanted: Run['status']) =>
  until(
    () => runOf(process, id),
    ({ status }) => status === wanted,
  );
const setCap = (process: Process, target: string, capMicros: number | null) =>
  process.json<Budget>('PUT', `${WORKSPACE}/budgets/${target}`, { capMicros }, PERSON);

/** A run that the cap of a target has stopped in the last half second of November; `at` moves the clock. */
async function stopped(target: (agentId: string) => string) {
  bench = await createBench(turns(look('a'), look('b'), look('c'), { text: 'Done.', usage }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  let now = DECEMBER - 500;
  const at = (ms: number) => {
    now = ms;
  };
  const deps = { clock: () => now };
  const process = await bench.process({ deps });
  await setCap(process, target(agentId), 900);
  const { id } = await process.createRun({ agentId });
  const run = await inStatus(process, id, 'paused');
  return { process, deps, id, run, target: target(agentId), at };
}

test.each([
  ['workspace', () => 'workspace'],
  ['an agent', (agentId: string) => `agent:${agentId}`],
])('what the month of %s has stopped goes on by itself in the next, once', async (_, target) => {
  const { process, id, run, at, ...of } = await stopped(target);
  expect(run).toMatchObject({ errorFamily: 'budget', resumeAt: DECEMBER, costMicros: 1_000 });
  expect(run.summary).toContain('or with the next month (UTC)');
  at(DECEMBER + 1);
  expect(await inStatus(process, id, 'completed')).toMatchObject({ costMicros: 2_000, resumeAt: null });
  const resumed = await bench.events('run.resumed');
  expect(resumed.map(({ subject, actor }) => [subject, actor])).toEqual([[id, 'service:runs']]);
  const budget = await process.json<Budget>('GET', `${WORKSPACE}/budgets/${of.target}`);
  expect(budget).toMatchObject({ scope: `${of.target}/2026-12`, spentMicros: 1_000, reservedMicros: 0 });
});

test('also when no server ran at that moment', async () => {
  const { process, deps, id, at } = await stopped(() => 'workspace');
  await process.stop();
  at(DECEMBER + 86_400_000);
  expect(await inStatus(await bench.process({ deps }), id, 'completed')).toMatchObject({ costMicros: 2_000 });
});

test('not what a person has paused meanwhile, nor what a cap of its own has stopped', async () => {
  const { process, id, at, deps } = await stopped(() => 'workspace');
  await process.json('POST', `${WORKSPACE}/runs/${id}/pause`, undefined, PERSON);
  at(DECEMBER - 400);
  await setCap(process, 'workspace', null);
  const { agentId } = await runOf(process, id);
  const { id: own } = await process.createRun({ agentId, capMicros: 900 });
  expect(await inStatus(process, own, 'paused')).toMatchObject({ resumeAt: null });
  await process.stop();
  at(DECEMBER + 1);
  const next = await bench.process({ deps });
  const { id: later } = await next.createRun({ agentId });
  await inStatus(next, later, 'completed');
  expect([(await runOf(next, id)).status, (await runOf(next, own)).status]).toEqual(['paused', 'paused']);
});

test('a cap that is raised in the new month counts what is spent in it', async () => {
  const { process, deps, id, at } = await stopped(() => 'workspace');
  // Kept from going on by itself, as a run is that was stopped before it could.
  const database = await process.databases.open(WORKSPACE);
  await database.write('test', [{ sql: 'UPDATE runs SET resumeAt = NULL WHERE id = ?', args: [id] }]);
  await process.stop();
  at(DECEMBER + 1);
  const next = await bench.process({ deps });
  // Below what November cost.
  await setCap(next, 'workspace', 950);
  expect(await inStatus(next, id, 'completed')).toMatchObject({ costMicros: 2_000 });
});
