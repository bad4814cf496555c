import { afterEach, expect, test } from 'bun:test';
import type { MessagesRequest } from '../../../test/model/messages-request.ts';
import type { ModelScript } from '../../../test/model/script.ts';
import type { Entry } from '../harness/journal.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';

let bench: Bench;
afterEach(() => bench?.close());

const SECRET = 'sk-not-for-anybody';
const usage = { inputTokens: 9_000, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Talks at length until its words were summarized, and is done then. */
const SCRIPT: ModelScript = {
  name: 'long',
  dialogues: [],
  otherwise: ({ messages }: MessagesRequest) => {
    const [first, last] = [JSON.stringify(messages[0]), JSON.stringify(messages.at(-1))];
    if (last.includes('Write the summary')) return { text: `SUMMARY: ${SECRET} was found.`, usage };
    if (first.includes('SUMMARY')) return { text: 'Done.', usage };
    return {
      text: 'word '.repeat(6_000),
      tools: [{ name: 'list_tickets', input: { projectId: String(messages.length) } }],
    };
  },
};

async function begin(killAt?: number): Promise<Process> {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer', { contextSize: 60_000 });
  const options = { deps: { secrets: [SECRET] }, ...(killAt !== undefined && { killAt }) };
  const process = await bench.process(options);
  await process.createRun({ agentId }).catch((error: unknown) => {
    if (killAt === undefined) throw error;
  });
  return process;
}

const ended = () =>
  until(
    () => bench.events('run.ended'),
    (events) => events.length > 0,
  );

/** One summary, its cost in the run's once, no secret in it, and an end that came of it. */
async function expectOnce(process: Process): Promise<void> {
  const { items: runs } = await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`);
  const run = runs[0] as Run;
  expect(run).toMatchObject({ status: 'completed', output: { text: 'Done.' } });
  const path = `${WORKSPACE}/runs/${run.id}/entries`;
  const { items } = await process.json<{ items: { entry: Entry }[] }>('GET', path);
  const entries = items.map(({ entry }) => entry);
  const summaries = entries.filter((entry) => entry.kind === 'compaction');
  expect(summaries).toMatchObject([{ summary: 'SUMMARY: [redacted] was found.', costMicros: 9_100 }]);
  const costs = entries.flatMap((entry) => ('costMicros' in entry ? [entry.costMicros ?? Number.NaN] : []));
  expect(run.costMicros).toBe(costs.reduce((sum, cost) => sum + cost, 0));
  const told = (await bench.events('run.compacted')).map(({ data }) => data);
  expect(told).toMatchObject([{ turns: summaries[0]?.turns, costMicros: 9_100 }]);
  expect(bench.model.requests.filter(({ problem }) => problem !== null)).toEqual([]);
}

test('a summary is kept, paid and told once, whichever commit beside it the process dies at', async () => {
  const whole = await begin();
  await ended();
  await expectOnce(whole);
  const at = whole.points.indexOf('run.compact:before');
  expect(at).toBeGreaterThan(0);
  await bench.close();
  for (let killAt = at - 2; killAt <= at + 3; killAt++) {
    const dying = await begin(killAt);
    await until(
      async () => dying.points.length >= killAt || (await bench.events('run.ended')).length > 0,
      (isOver) => isOver,
    );
    await dying.atRest();
    const next = await bench.process({ deps: { secrets: [SECRET] } });
    await ended();
    await expectOnce(next);
    await Promise.all([dying.stop(), next.stop()]);
    await bench.close();
  }
}, 120_000);
