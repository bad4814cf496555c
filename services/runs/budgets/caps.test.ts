import { afterEach, describe, expect, test } from 'bun:test';
import type { ScriptedTurn } from '../../../test/model/script.ts';
import { createModelCatalogue, type ModelEntry } from '../models/catalogue.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, until, WORKSPACE } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';
import type { Budget } from './schema.ts';

let bench: Bench;
afterEach(() => bench.close());

/** Each call reports 10,000 tokens of output, which cost 5.11 cents. */
const CALL_MICROS = 51_100;
const CAP_MICROS = 500_000;
const RUNS = 10;
const PRICES = {
  ...{ inputMicrosPerMTok: 0, cacheReadMicrosPerMTok: 0, cacheWriteMicrosPerMTok: 0 },
  outputMicrosPerMTok: 5_110_000,
};
const ENTRY: ModelEntry = {
  ...{ id: 'dear-model', provider: 'anthropic', contextTokens: 200_000, maxOutputTokens: 16_384 },
  ...{ effort: [], media: [], prices: PRICES },
};
const usage = { inputTokens: 100, outputTokens: 10_000, cacheReadTokens: 0, cacheWriteTokens: 0 };
const spends = (turn: ScriptedTurn): ScriptedTurn => ({ ...turn, usage });
/** Nine calls, each another, and a last one: 51.1 cents. */
const TASK = [
  ...Array.from({ length: 9 }, (_, index) => spends(calls(['list_tickets', { projectId: `p${index}` }]))),
  spends({ text: 'Done.' }),
];
/** Three of the ten calls are those of a sub-agent. */
const PARENT = [spends(delegates('child part')), ...TASK.slice(0, 5), spends({ text: 'Done with help.' })];
const CHILD = [...TASK.slice(0, 2), spends({ text: 'Part done.' })];

const SCRIPT = dialogues(
  onWord('child part', ...CHILD),
  onWord('parent task', ...PARENT),
  onWord('lone task', ...TASK),
);

const modelsAt = (url: string, entries = [ENTRY]) =>
  createModelCatalogue({ ...{ baseUrl: url, apiKey: 'k', defaultModel: entries[0]?.id ?? '', entries } });

async function begin() {
  bench = await createBench(SCRIPT);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process({ deps: { models: modelsAt(bench.model.url), concurrency: RUNS } });
  return { agentId, process };
}

/** Half of them alone, half with a sub-agent. */
const startAll = (process: Process, agentId: string) =>
  Promise.all(
    Array.from({ length: RUNS }, (_, index) =>
      process.createRun({ agentId, prompt: index % 2 === 0 ? 'lone task' : 'parent task' }),
    ),
  );

const runOf = (process: Process, id: string) => process.json<Run>('GET', `${WORKSPACE}/runs/${id}`);
const budgetOf = (process: Process, target: string) =>
  process.json<Budget>('GET', `${WORKSPACE}/budgets/${target}`);
const setCap = (process: Process, target: string, capMicros: number | null) =>
  process.json<Budget>('PUT', `${WORKSPACE}/budgets/${target}`, { capMicros }, 'person:mem_ada');

/** Until nothing of the workspace works any more, sub-agents included. */
const atRest = (process: Process) =>
  until(
    async () => (await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`)).items,
    (runs) =>
      runs.every(
        ({ status, waitingFor }) => !['queued', 'running'].includes(status) || waitingFor !== null,
      ) && runs.some(({ status }) => status === 'completed' || status === 'paused'),
  );

const sum = (runs: readonly Run[]) => runs.reduce((total, { costMicros }) => total + (costMicros ?? 0), 0);
const treesOf = (runs: readonly Run[]) => [
  ...Map.groupBy(runs, ({ id, rootRunId }) => rootRunId ?? id).values(),
];

describe('a cap of $0.50, which ten runs in parallel and their sub-agents could pass ten times', () => {
  test('costs $5.11 without a cap, and needs no reservation then', async () => {
    const { agentId, process } = await begin();
    await startAll(process, agentId);
    const runs = await until(
      () => atRest(process),
      (all) => all.filter(({ status }) => status === 'completed').length === RUNS + RUNS / 2,
    );
    expect(sum(runs)).toBe(RUNS * 10 * CALL_MICROS);
    expect(await budgetOf(process, 'workspace')).toMatchObject({ capMicros: null, spentMicros: 5_110_000 });
    expect(process.points.some((point) => /^run\.(reserve|release)/.test(point))).toBe(false);
  });

  test.each(['workspace', 'agent'] as const)(
    'of the %s stops all of them, one call beyond it at most',
    async (kind) => {
      const { agentId, process } = await begin();
      const target = kind === 'agent' ? `agent:${agentId}` : kind;
      await setCap(process, target, CAP_MICROS);
      await startAll(process, agentId);
      const runs = await atRest(process);
      const budget = await budgetOf(process, target);
      expect(budget).toMatchObject({ spentMicros: sum(runs), reservedMicros: 0, unknownCalls: 0 });
      expect(budget.spentMicros).toBeGreaterThanOrEqual(CAP_MICROS);
      expect(budget.spentMicros).toBeLessThan(CAP_MICROS + CALL_MICROS);
      const stopped = runs.filter(({ status }) => status === 'paused');
      expect(stopped.length).toBeGreaterThan(0);
      for (const run of stopped) {
        expect(run).toMatchObject({ errorFamily: 'budget', budgetStop: { target, reason: 'cap' } });
        expect(run.summary).toContain(
          `of $0.50 is spent. Raise it with \`cctl budget set ${target} <dollars>\``,
        );
      }
    },
  );

  test('of every run holds each tree by itself, its sub-agents in it', async () => {
    const { agentId, process } = await begin();
    await setCap(process, 'run', CAP_MICROS);
    await startAll(process, agentId);
    const runs = await atRest(process);
    expect(treesOf(runs)).toHaveLength(RUNS);
    for (const tree of treesOf(runs)) {
      expect(sum(tree)).toBeGreaterThanOrEqual(CAP_MICROS);
      expect(sum(tree)).toBeLessThan(CAP_MICROS + CALL_MICROS);
    }
  });

  test('of every run and of the workspace: whichever is used up first', async () => {
    const { agentId, process } = await begin();
    await setCap(process, 'run', CAP_MICROS);
    await setCap(process, 'workspace', 2 * CAP_MICROS);
    await startAll(process, agentId);
    const runs = await atRest(process);
    expect(sum(runs)).toBeGreaterThanOrEqual(2 * CAP_MICROS);
    expect(sum(runs)).toBeLessThan(2 * CAP_MICROS + CALL_MICROS);
    for (const tree of treesOf(runs)) expect(sum(tree)).toBeLessThan(CAP_MICROS + CALL_MICROS);
  });
});

describe('a cap of one run', () => {
  test('is given with it, holds for its whole tree, and can be changed and taken away', async () => {
    const { agentId, process } = await begin();
    await setCap(process, 'run', 9_000_000);
    const { id } = await process.createRun({ agentId, prompt: 'parent task', capMicros: 2 * CALL_MICROS });
    const runs = await atRest(process);
    expect(sum(runs)).toBe(2 * CALL_MICROS);
    const [child] = runs.filter(({ parentRunId }) => parentRunId === id);
    expect(child).toMatchObject({
      status: 'paused',
      errorFamily: 'budget',
      budgetStop: { scope: `run:${id}` },
    });
    await setCap(process, `run:${id}`, 3 * CALL_MICROS);
    await until(
      () => atRest(process),
      (all) => sum(all) === 3 * CALL_MICROS,
    );
    // Without a cap of its own, that of every run holds.
    expect(await setCap(process, `run:${id}`, null)).toMatchObject({ capMicros: 9_000_000 });
    const ended = await until(
      () => runOf(process, id),
      ({ status }) => status === 'completed',
    );
    expect(ended.costMicros).toBe(7 * CALL_MICROS);
    expect(await budgetOf(process, `run:${id}`)).toMatchObject({ spentMicros: 10 * CALL_MICROS });
  });

  test('is set at its root alone, and not by a sub-agent', async () => {
    const { agentId, process } = await begin();
    const { id } = await process.createRun({ agentId, prompt: 'parent task' });
    const runs = await until(
      () => atRest(process),
      (all) => all.length === 2,
    );
    const child = runs.find(({ parentRunId }) => parentRunId === id)?.id;
    const tried = await process.call(
      'PUT',
      `${WORKSPACE}/budgets/run:${child}`,
      { capMicros: 1 },
      'person:mem_ada',
    );
    expect([tried.status, await tried.text()]).toEqual([400, expect.stringContaining(`run:${id}`)]);
    const below = { agentId, prompt: 'x', parentRunId: id, capMicros: 5, trigger: { kind: 'followUp' } };
    expect((await process.call('POST', `${WORKSPACE}/runs`, below)).status).toBe(400);
  });
});
