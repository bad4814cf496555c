import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import { Wakes } from '../../kit/wakes.ts';
import { MIGRATIONS } from '../migrations.ts';
import { RUN, WORKSPACE } from './conformance-bench.ts';
import { StoredOutputs } from './stored-outputs.ts';

const CHILD = new URL('./conformance-child.ts', import.meta.url).pathname;
const EFFECTS = ['first', 'agent-a.asked', 'agent-b.asked', 'agent-a', 'agent-b', 'collect', 'last'];

/**
 * Real deaths: the process is killed with -9 at each commit point and after each effect, started again, and must end with
 * every effect made once. `factoryModule` is the path of a module that exports `createEngine`.
 */
export function engineKillConformance(name: string, factoryModule: string): void {
  setDefaultTimeout(240_000);
  describe(name, () => {
    test('kill -9 at each point: everything ends, every effect once', async () => {
      const points = await observePoints(factoryModule);
      expect(points.length).toBeGreaterThan(20);
      for (const point of points) await dieAndGoOn(factoryModule, point);
    });
  });
}

async function inTemp<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'engine-kill-'));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** First and last pass of each point of a life without a death, as `point#n`. */
function observePoints(factoryModule: string): Promise<string[]> {
  return inTemp(async (dir) => {
    const log = join(dir, 'points.log');
    const child = await live(dir, factoryModule, '', log);
    expect(child).toEqual({ exitCode: 0, signal: null });
    const passes = new Map<string, number>();
    for (const point of lines(log)) passes.set(point, (passes.get(point) ?? 0) + 1);
    const own = [...passes].filter(([point]) => !point.startsWith('migrate'));
    return own.flatMap(([point, count]) =>
      count > 1 ? [`${point}#1`, `${point}#${count}`] : [`${point}#1`],
    );
  });
}

function dieAndGoOn(factoryModule: string, point: string): Promise<void> {
  return inTemp(async (dir) => {
    const first = await live(dir, factoryModule, point);
    // The number of passes varies a little from life to life, so the last of them may not come again.
    if (first.exitCode !== 0) expect(first, point).toEqual({ exitCode: null, signal: 'SIGKILL' });
    const second = await live(dir, factoryModule, '');
    expect(second, point).toEqual({ exitCode: 0, signal: null });
    expect(lines(join(dir, 'effects.log')).toSorted(), point).toEqual(
      EFFECTS.map((key) => `${RUN.runId}/${key}`).toSorted(),
    );
    await expectSoundEnd(dir, point);
  });
}

async function expectSoundEnd(dir: string, point: string): Promise<void> {
  const databases = new WorkspaceDatabases({ dataDir: dir, migrations: [MIGRATIONS], wakes: new Wakes() });
  const database = await databases.open(WORKSPACE);
  const rows = await database.read({ sql: 'SELECT key, state FROM steps', args: [] });
  const states = Object.fromEntries(rows.map((row) => [String(row.key), String(row.state)]));
  const [run] = await database.read({ sql: 'SELECT status FROM pipelineRuns', args: [] });
  const outputs = await new StoredOutputs(databases, Date.now).read(RUN, ['agent-a', 'agent-b']);
  await databases.close();
  const raw = lines(join(dir, 'raw.log')).length;
  expect(run?.status, point).toBe('completed');
  expect(Object.fromEntries(outputs), point).toEqual({
    'agent-a': 'answer to agent-a',
    'agent-b': 'answer to agent-b',
  });
  expect(states, point).toMatchObject({
    first: 'done',
    'agent-a': 'done',
    'agent-b': 'done',
    left: 'skipped',
    collect: 'done',
    last: 'done',
  });
  // Without a key nobody can tell whether the effect was made, so it is made at most once and a person is asked.
  expect(raw, point).toBeLessThanOrEqual(1);
  if (states.raw === 'done') expect(raw, point).toBe(1);
  else expect(states.raw, point).toBe('skipped');
}

async function live(dir: string, factoryModule: string, crashAt: string, pointLog = '') {
  const child = Bun.spawn([process.execPath, CHILD, dir, factoryModule, crashAt, pointLog], {
    stdout: 'inherit',
    stderr: 'inherit',
  });
  await child.exited;
  return { exitCode: child.exitCode, signal: child.signalCode };
}

function lines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}
