import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import type { Budget } from '../../services/runs/budgets/schema.ts';
import type { Run } from '../../services/runs/runs/schema.ts';
import { createServerStage, type Served, type ServerStage } from './testing/served.ts';

/** Budgets against the real server: a cap stops a run, people read why, and raising it lets the run end. */

let stage: ServerStage;
beforeAll(() => {
  stage = createServerStage({
    name: 'looks once and ends',
    dialogues: [
      {
        name: 'all',
        when: { user: /look/i },
        turns: [{ tools: [{ name: 'list_tickets', input: {} }] }, { text: 'There are none.' }],
      },
    ],
    otherwise: { text: 'Forty-two.' },
  });
});
afterEach(() => stage.killAll());
afterAll(() => stage.remove());

async function json<T>({ cctl }: Served, ...args: string[]): Promise<T> {
  const ran = await cctl(...args, '--json');
  expect([args, ran.exitCode, ran.stderr]).toEqual([args, 0, '']);
  return JSON.parse(ran.stdout) as T;
}

async function runIn(served: Served, status: Run['status']): Promise<Run> {
  const giveUpAt = Date.now() + 15_000;
  for (;;) {
    const { items } = await json<{ items: Run[] }>(served, 'runs');
    const run = items.find((one) => one.status === status);
    if (run) return run;
    if (Date.now() > giveUpAt) throw new Error(`no run is ${status}: ${JSON.stringify(items)}`);
  }
}

test('a cap stops a run with the command that raises it; raised, the run ends by itself', async () => {
  const served = await stage.serve();
  await served.cctl('ask', 'What is it?', '--mode', 'chat', '--no-repo');
  await json(served, 'budget', 'set', 'workspace', '0.000001');
  const asking = served.cctl('ask', 'Look around', '--mode', 'chat', '--no-repo');
  const paused = await runIn(served, 'paused');
  expect(paused).toMatchObject({ errorFamily: 'budget', budgetStop: { target: 'workspace', reason: 'cap' } });
  expect(paused.summary).toContain('Raise it with `cctl budget set workspace <dollars>`');
  const raised = await json<Budget>(served, 'budget', 'set', 'workspace', '5');
  expect(raised).toMatchObject({ target: 'workspace', capMicros: 5_000_000, reservedMicros: 0 });
  await asking;
  const { items } = await json<{ items: (Budget & { agentName: string | null })[] }>(served, 'budget');
  const [every, workspace, agent] = items;
  expect([every?.target, every?.capMicros, workspace?.target]).toEqual(['run', null, 'workspace']);
  expect(workspace?.spentMicros).toBeGreaterThan(0);
  expect(agent).toMatchObject({ spentMicros: workspace?.spentMicros, capMicros: null });
  expect((await json<Budget>(served, 'budget', 'clear', 'workspace')).capMicros).toBeNull();
  const runs = (await json<{ items: Run[] }>(served, 'runs')).items;
  expect(runs.map(({ status }) => status)).toEqual(['completed', 'completed']);
  const audit = await json<{ items: { action: string; data: { capMicros: number | null } }[] }>(
    served,
    'audit',
  );
  const set = audit.items.filter(({ action }) => action === 'budget.set').map(({ data }) => data.capMicros);
  expect(set).toEqual([1, 5_000_000, null]);
}, 60_000);
