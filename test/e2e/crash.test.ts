import { afterAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { createStage, runApprovedJob } from './stage.ts';

/** `ALL_CRASH_POINTS=1` kills at each point there is; else at a spread of them that holds every noun's commits. */
const everyPoint = Boolean(process.env.ALL_CRASH_POINTS);
const LEAST_POINTS = 12;
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
      const outcome = await jobKilledAt(point).catch((error: unknown) => String(error));
      if (typeof outcome === 'string') differences[point] = outcome;
      else if (!Bun.deepEquals(outcome, { ...snapshot, kills: 1 }))
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
    await server.kill();
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

/**
 * Every commit of a run, tool call, step, approval and hire, just before one and just after the next in turn, and a fortieth of
 * the rest, evenly.
 */
function spread(points: readonly string[]): string[] {
  const essential =
    /^(run\.(create|answer|end)|tool\.(start|finish)|step\.commit|approval\.decide|agent\.create|runner\.(commit|integrate)):/;
  const rest = points.filter((point) => !essential.test(point));
  const chosen = points.filter((point) => essential.test(point));
  const sides = Map.groupBy(chosen, (point) => point.replace(/:(before|after)#\d+$/, ''));
  const inTurn = [...sides.values()].flatMap((both, i) => both[i % both.length] as string);
  return [...inTurn, ...rest.filter((_, i) => i % 40 === 0)];
}

async function jobKilledAt(crashAt: string): Promise<Snapshot & { kills: number }> {
  const stage = createStage();
  const lives = new Lives(stage.env);
  try {
    await lives.begin(crashAt);
    const { client, result } = runApprovedJob(stage, () => lives.url);
    const snapshot = await snapshotOf(client, await result, stage.repository);
    return { ...snapshot, kills: lives.kills };
  } finally {
    await lives.end();
    await stage.remove();
  }
}

/** A server that is started again, on the same port and without the crash point, whenever it dies. */
class Lives {
  kills = 0;
  #server: ServerProcess | null = null;
  #ended = false;
  #watch: Promise<void> = Promise.resolve();
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string>) {
    this.#env = env;
  }

  get url(): string {
    if (!this.#server) throw new Error('the server never came up');
    return this.#server.url;
  }

  /** Resolves when a server listens, be it the first or, after a death on the way up, the second. */
  async begin(crashAt: string): Promise<void> {
    try {
      await this.#start({ CONTROL_CENTER_CRASH_AT: crashAt });
    } catch {
      this.kills++;
      await this.#start({});
    }
  }

  async end(): Promise<void> {
    this.#ended = true;
    this.#server?.kill();
    await this.#watch;
  }

  async #start(env: Record<string, string>): Promise<void> {
    const server = await startServerProcess({ ...this.#env, ...env });
    this.#server = server;
    servers.add(server);
    this.#watch = this.#revive(server);
  }

  async #revive(server: ServerProcess): Promise<void> {
    await server.exited;
    servers.delete(server);
    if (this.#ended) return;
    this.kills++;
    await this.#start({ CONTROL_CENTER_PORT: new URL(server.url).port });
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
