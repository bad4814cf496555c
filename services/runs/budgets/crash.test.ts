import { afterEach, expect, test } from 'bun:test';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import type { Budget } from './schema.ts';

let bench: Bench;
afterEach(() => bench?.close());

/** With a price of one micro-dollar a token, each of the four calls costs 500. */
const usage = { inputTokens: 100, outputTokens: 400, cacheReadTokens: 0, cacheWriteTokens: 0 };
const look = (projectId: string) => ({ tools: [{ name: 'list_tickets', input: { projectId } }], usage });
const SCRIPT = turns(look('a'), look('b'), look('c'), { text: 'Done.', usage });
const LABELS = ['run.reserve', 'run.answer', 'run.budgetStop', 'run.pause', 'budget.set'];

const runOf = (process: Process, id: string) => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`);
const raise = (process: Process) =>
  process.call('PUT', `${WORKSPACE}/budgets/workspace`, { capMicros: 9_000 }, 'person:mem_ada');

/** A run under a cap that it passes in a process that dies at the given point, if it is given. */
async function begin(killAt?: number) {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process(killAt === undefined ? {} : { killAt });
  await process.call('PUT', `${WORKSPACE}/budgets/workspace`, { capMicros: 900 }, 'person:mem_ada');
  const { id } = await process.createRun({ agentId, key: 'one' });
  return { process, id, agentId };
}

const isPaused = ({ status }: Run) => status === 'paused';
const isOver = ({ endedAt }: Run) => endedAt !== null;

async function expectExact(process: Process, { id, agentId }: { id: string; agentId: string }) {
  const run = await until(() => runOf(process, id), isOver);
  expect(run).toMatchObject({ status: 'completed', costMicros: 2_000 });
  for (const target of [`run:${id}`, `agent:${agentId}`, 'workspace']) {
    const budget = await process.json<Budget>('GET', `${WORKSPACE}/budgets/${target}`);
    expect(budget).toMatchObject({ spentMicros: 2_000, reservedMicros: 0, unknownCalls: 0 });
  }
  const events = await bench.events();
  const capsOf = (type: string) =>
    events.filter((event) => event.type === type).map(({ data }) => data.capMicros);
  expect(capsOf('budget.warned')).toEqual([900]);
  expect(capsOf('budget.reached')).toEqual([900]);
  expect(capsOf('budget.set')).toEqual([900, 9_000]);
  const { items } = await process.json<{ items: { entry: { cause?: string } }[] }>(
    'GET',
    `${WORKSPACE}/runs/${id}/entries`,
  );
  // At 500 it is not nearly used, and at 1,000 it is used up; of the raised cap nobody has to be told.
  expect(items.filter(({ entry }) => entry.cause === 'budget')).toEqual([]);
}

async function pointsOfWhole(): Promise<{ points: string[]; first: number }> {
  const { process, id, agentId } = await begin();
  const first = process.points.indexOf('run.start:before');
  await until(() => runOf(process, id), isPaused);
  await raise(process);
  await expectExact(process, { id, agentId });
  const { points } = process;
  await bench.close();
  return { points: [...points], first };
}

test('a process that dies at any commit of a budget leaves every micro-dollar counted once, and the raise once', async () => {
  const { points, first } = await pointsOfWhole();
  const seen = new Set<string>();
  for (let killAt = first; killAt < points.lastIndexOf('run.end:before'); killAt++) {
    const point = points[killAt] ?? '';
    if (!LABELS.includes(point.split(':')[0] ?? '')) continue;
    const begun = await begin(killAt).catch(() => null);
    // It came to that point before there was a run.
    if (begun === null) {
      await bench.close();
      continue;
    }
    seen.add(point);
    const { process, id, agentId } = begun;
    await diesOrIsRaised(process, id, killAt);
    await process.atRest();
    // Whoever raised it was answered by nobody when the server died meanwhile, and does it again.
    const next = await bench.process();
    await until(
      () => runOf(next, id),
      (run) => isPaused(run) || isOver(run),
    );
    expect((await raise(next)).status).toBe(200);
    await expectExact(next, { id, agentId });
    await Promise.all([process.stop(), next.stop()]);
    await bench.close();
  }
  for (const label of LABELS) {
    expect([label, seen.has(`${label}:before`), seen.has(`${label}:after`)]).toEqual([label, true, true]);
  }
}, 180_000);

/** What happens between two commits is not the same each time, so a process may come to its end before it is to die. */
async function diesOrIsRaised(process: Process, id: string, killAt: number): Promise<void> {
  const isDead = () => process.points.length >= killAt;
  const run = await until(
    () => runOf(process, id),
    (now) => isDead() || isPaused(now),
  );
  if (isDead() || !isPaused(run)) return;
  await raise(process);
  await until(
    () => runOf(process, id),
    (now) => isDead() || isOver(now),
  );
}
