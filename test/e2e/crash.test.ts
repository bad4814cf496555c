import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { createStage, runApprovedJob } from './stage.ts';

/** `ALL_CRASH_POINTS=1` kills at each point there is; else at a spread of them that holds every noun's commits. */
const everyPoint = Boolean(process.env.ALL_CRASH_POINTS);
const LEAST_POINTS = 25;
const LANES = 2;

/**
 * The server is killed with SIGKILL just before or just after one commit or outside effect of the main job, started again,
 * and the job must end as if nothing had happened: the same agents, tickets, messages, runs and commits, each once.
 */
test('killed at any named point, the main job ends completed with each effect once', async () => {
  const { snapshot, points } = await undisturbedJob();
  expect(snapshot.end).toBe('completed');
  expect(snapshot.charges).toBe('exact');
  const chosen = everyPoint ? points : spread(points);
  expect(chosen.length).toBeGreaterThanOrEqual(LEAST_POINTS);
  const queue = [...chosen];
  const differences: Record<string, unknown> = {};
  const lane = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      const outcome = await jobKilledAt(point);
      if (!Bun.deepEquals(outcome, { ...snapshot, kills: 1 }))
        differences[point] = differenceOf(outcome, snapshot);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(differences).toEqual({});
}, 900_000);

const servers = new Set<ServerProcess>();
afterAll(() => {
  for (const server of servers) server.kill();
});

async function undisturbedJob(): Promise<{ snapshot: Snapshot; points: string[] }> {
  const stage = createStage();
  const pointLog = join(stage.dataDir, 'points');
  const server = await startServerProcess({ ...stage.env, CONTROL_CENTER_POINT_LOG: pointLog });
  servers.add(server);
  try {
    const { client, result } = runApprovedJob(stage, () => server.url);
    const snapshot = await snapshotOf(client, await result, stage.repository);
    return { snapshot, points: passesOf(readFileSync(pointLog, 'utf8')) };
  } finally {
    server.kill();
    await stage.remove();
  }
}

/** `name#n` for a pass in the middle of each point's passes: the first ones are often the same moment of the job. */
function passesOf(log: string): string[] {
  const counts = new Map<string, number>();
  for (const name of log.trim().split('\n')) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([name]) => !name.startsWith('migrate.'))
    .map(([name, count]) => `${name}#${Math.ceil(count / 2)}`);
}

/** Every commit of a run, tool call, step, approval and hire, and an even choice of the rest. */
function spread(points: readonly string[]): string[] {
  const essential =
    /^(run\.(create|answer|end)|tool\.(start|finish)|step\.commit|approval\.decide|agent\.create|runner\.(commit|integrate)):/;
  const rest = points.filter((point) => !essential.test(point));
  return [...points.filter((point) => essential.test(point)), ...rest.filter((_, i) => i % 4 === 0)];
}

async function jobKilledAt(crashAt: string): Promise<Snapshot & { kills: number }> {
  const stage = createStage();
  let kills = 0;
  let server = await startServerProcess({ ...stage.env, CONTROL_CENTER_CRASH_AT: crashAt });
  servers.add(server);
  let ended = false;
  const port = new URL(server.url).port;
  const keepUp = async () => {
    await server.exited;
    if (ended) return;
    kills++;
    server = await startServerProcess({ ...stage.env, CONTROL_CENTER_PORT: port });
    servers.add(server);
  };
  const revived = keepUp();
  try {
    const { client, result } = runApprovedJob(stage, () => server.url);
    const job = await result;
    const snapshot = await snapshotOf(client, job, stage.repository);
    return { ...snapshot, kills };
  } finally {
    ended = true;
    server.kill();
    await revived;
    server.kill();
    await stage.remove();
  }
}

function differenceOf(outcome: Snapshot & { kills: number }, expected: Snapshot): Record<string, unknown> {
  const parts = Object.entries(expected).filter(
    ([name, value]) => !Bun.deepEquals(outcome[name as keyof Snapshot], value),
  );
  const shown = parts.map(([name, value]) => [
    name,
    { expected: value, got: outcome[name as keyof Snapshot] },
  ]);
  return { kills: outcome.kills, ...Object.fromEntries(shown) };
}
