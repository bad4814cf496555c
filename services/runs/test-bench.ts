import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { EffectClass } from '../../core-wasm/core.ts';
import type { ModelScript, ScriptedTurn } from '../../test/model/script.ts';
import { type ScriptedModel, startScriptedModel } from '../../test/model/server.ts';
import { ACTOR_HEADER, type Actor } from '../kit/actor.ts';
import { readEvents, type WorkspaceEvent } from '../kit/database/event-log.ts';
import { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import { silentLog } from '../kit/log.ts';
import { Wakes } from '../kit/wakes.ts';
import { createEmbeddedRunner, type EmbeddedRunner } from '../runner/embedded.ts';
import { createFixture, type Fixture } from '../runner/repository-fixture.ts';
import type { RunsDeps } from './deps.ts';
import type { CommandReader } from './guard/shell/command-reader.ts';
import { MIGRATIONS } from './migrations.ts';
import { createModelCatalogue, type ModelEntry } from './models/catalogue.ts';
import type { PlanOrigin } from './peers/orchestration-port.ts';
import type { ReviewsPort } from './peers/reviews-port.ts';
import type { CreateRun, Run } from './runs/schema.ts';
import { createRuns, type RunsService } from './service.ts';
import { TestSpaces } from './test-spaces.ts';

export const WORKSPACE = 'ws_test';

/** One dollar for a million tokens of any kind: a token is a micro-dollar. */
const PRICED: ModelEntry = {
  id: 'test-model',
  provider: 'anthropic',
  contextTokens: 200_000,
  maxOutputTokens: 1_000,
  effort: [],
  media: ['image', 'pdf'],
  prices: {
    inputMicrosPerMTok: 1_000_000,
    outputMicrosPerMTok: 1_000_000,
    cacheReadMicrosPerMTok: 1_000_000,
    cacheWriteMicrosPerMTok: 1_000_000,
  },
};
const UNPRICED: ModelEntry = { ...PRICED, id: 'unpriced-model', prices: null };

/** One server process's share of runs: its own database handles, dead once it was killed. */
export interface Process {
  service: RunsService;
  databases: WorkspaceDatabases;
  runner: EmbeddedRunner;
  /** Commit points passed, in order. */
  points: string[];
  call(method: string, path: string, body?: unknown, actor?: Actor): Promise<Response>;
  json<T>(method: string, path: string, body?: unknown, actor?: Actor): Promise<T>;
  createRun(input: Partial<CreateRun> & Pick<CreateRun, 'agentId'>): Promise<Run>;
  /** Resolves when whatever a killed process had begun has come to rest, what it had asked of its database too. */
  atRest(): Promise<void>;
  /** The run, once it is in one of the statuses or waits for a decision. */
  settled(id: string): Promise<Run>;
  stop(): Promise<void>;
}

export interface Bench {
  repository: Fixture;
  spaces: TestSpaces;
  model: ScriptedModel;
  proposals: { origin: PlanOrigin; goal: string }[];
  /** `killAt` is the index or the name of the point at which the process dies: from there on nothing it does has an effect. */
  process(options?: { killAt?: number | string; deps?: Partial<RunsDeps> }): Promise<Process>;
  events(type?: string): Promise<WorkspaceEvent[]>;
  close(): Promise<void>;
}

/** Stands in for the reader of command lines: a class by a word. */
const WORDS: CommandReader = {
  read: (line) => {
    const classes: EffectClass[] = ['process_launch'];
    if (line.includes('git push')) classes.push('git_push');
    if (line.includes('.netrc')) classes.push('secret_access');
    return { classes, findings: [], understood: true };
  },
};

export function turns(...list: ScriptedTurn[]): ModelScript {
  return { name: 'test', dialogues: [{ name: 'all', when: {}, turns: list }] };
}

/** No space of the bench was opened for a pull request. */
const NO_REVIEWS = { ofSpace: async () => null } as Partial<ReviewsPort> as ReviewsPort;

/** Real files, git, runner, HTTP model server and databases; only the people's side is played. */
export async function createBench(script: ModelScript): Promise<Bench> {
  const repository = await createFixture({ 'README.md': 'one\ntwo\n', 'AGENTS.md': 'Keep it short.\n' });
  const model = startScriptedModel(script);
  const wakes = new Wakes();
  const dataDir = mkdtempSync(join(repository.root, 'data-'));
  const open = (onPoint?: (name: string) => void) =>
    new WorkspaceDatabases({ dataDir, migrations: [MIGRATIONS], wakes, onPoint });
  const own = open();
  await own.create(WORKSPACE);
  const spaces = new TestSpaces(WORKSPACE, own);
  const proposals: Bench['proposals'] = [];
  const processes: Process[] = [];
  return {
    ...{ repository, spaces, model, proposals },
    async process({ killAt, deps = {} } = {}) {
      const points: string[] = [];
      let isAtName = false;
      const isDead = () => isAtName || (typeof killAt === 'number' && points.length >= killAt);
      const onPoint = (name: string) => {
        isAtName ||= name === killAt;
        if (isDead()) throw new Error(`killed at ${name}`);
        points.push(name);
      };
      const databases = open(onPoint);
      const pending = new Set<Promise<unknown>>();
      const runner = mortal(createEmbeddedRunner({ dataDir, sandbox: 'none' }), isDead, pending);
      const made = processOf(databases, runner, points, pending, {
        ...{ databases, dataDir, runner, onPoint, log: silentLog, clock: Date.now },
        spaces: mortal(spaces.port(), isDead, pending),
        reviews: NO_REVIEWS,
        proposeOrchestration: async (origin, proposal) => {
          const { goal } = proposal as { goal: string };
          if (!proposals.some((known) => known.origin.key === origin.key)) proposals.push({ origin, goal });
          return { id: 'orc_1', revision: 1 };
        },
        submitPlan: async () => ({ id: 'orc_2', revision: 1 }),
        operatorOf: () => {
          throw new Error('nobody operates this bench');
        },
        commandReader: async () => WORDS,
        models: createModelCatalogue({
          ...{ baseUrl: model.url, apiKey: 'test-key', defaultModel: PRICED.id, entries: [PRICED, UNPRICED] },
        }),
        ...deps,
      });
      processes.push(made);
      await made.service.start().catch((error: unknown) => {
        if (killAt === undefined) throw error;
      });
      return made;
    },
    events: async (type) => {
      const events = await readEvents(await own.open(WORKSPACE), 0, 10_000);
      return type === undefined ? events : events.filter((event) => event.type === type);
    },
    async close() {
      await Promise.all(processes.map((process) => process.stop()));
      await own.close();
      await model.stop();
      repository.remove();
    },
  };
}

function processOf(
  databases: WorkspaceDatabases,
  runner: EmbeddedRunner,
  points: string[],
  pending: ReadonlySet<Promise<unknown>>,
  deps: RunsDeps,
): Process {
  const service = createRuns(deps);
  const call: Process['call'] = async (method, path, body, actor = 'service:test') =>
    service.app.request(`http://test/api/workspaces/${path}`, {
      method,
      headers: { 'content-type': 'application/json', [ACTOR_HEADER]: actor },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const json = async <T>(method: string, path: string, body?: unknown, actor?: Actor) => {
    const response = await call(method, path, body, actor);
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  let stopped: Promise<void> | null = null;
  return {
    ...{ service, databases, runner, points, call, json },
    atRest: async () => {
      while (pending.size > 0) await Promise.allSettled(pending);
      // One that died before it had its database has asked nothing of it.
      const database = await databases.open(WORKSPACE).catch(() => null);
      await database?.read({ sql: 'SELECT 1', args: [] });
    },
    createRun: (input) => json<Run>('POST', `${WORKSPACE}/runs`, { ...DEFAULTS, ...input }),
    settled: (id) => until(() => json<Run>('GET', `${WORKSPACE}/runs/${id}`), isSettled),
    stop: () => {
      stopped ??= stopAll(service, runner, databases);
      return stopped;
    },
  };
}

/** The same object, whose methods reject once its process is dead; `pending` are the calls under way. */
function mortal<T extends object>(target: T, isDead: () => boolean, pending: Set<Promise<unknown>>): T {
  return new Proxy(target, {
    get(object, name, receiver) {
      const method = Reflect.get(object, name, receiver);
      if (typeof method !== 'function' || name === 'close') return method;
      return (...args: unknown[]) => {
        if (isDead()) return Promise.reject(new Error('the process is dead'));
        const work: Promise<unknown> = Reflect.apply(method, object, args);
        pending.add(work);
        const rest = () => pending.delete(work);
        work.then(rest, rest);
        return work;
      };
    },
  });
}

const DEFAULTS = { trigger: { kind: 'assignment', id: null }, prompt: 'Do it.' };

function isSettled({ status, waitingFor }: Run): boolean {
  return ['completed', 'failed', 'cancelled', 'paused'].includes(status) || waitingFor !== null;
}

async function stopAll(
  service: RunsService,
  runner: EmbeddedRunner,
  databases: WorkspaceDatabases,
): Promise<void> {
  await service.stop();
  await runner.close();
  await databases.close();
}

/** Looks again and again until `isDone`, for 15 s at most. */
export async function until<T>(look: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const giveUpAt = Date.now() + 15_000;
  for (;;) {
    const value = await look();
    if (isDone(value)) return value;
    if (Date.now() > giveUpAt)
      throw new Error(`It did not come to that; last seen: ${JSON.stringify(value)}`);
    await Bun.sleep(10);
  }
}
