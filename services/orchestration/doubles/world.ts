import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hc } from 'hono/client';
import pino from 'pino';
import type { Mode, PlanNode, Proposal } from '../../../core-wasm/core.ts';
import { ACTOR_HEADER, type Actor, actorId } from '../../kit/actor.ts';
import { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import type { Log } from '../../kit/log.ts';
import { createPeer } from '../../kit/peer.ts';
import { Wakes } from '../../kit/wakes.ts';
import { MIGRATIONS } from '../migrations.ts';
import { createOrchestration, type OrchestrationApp, type OrchestrationService } from '../service.ts';
import { eventWriter } from './event-writer.ts';
import { MemoryRuns, type Script } from './memory-runs.ts';
import { MemorySpaces } from './memory-spaces.ts';

export const WORKSPACE = 'ws_test';
export const PERSON: Actor = 'person:mem_ada';
export const OTHER_PERSON: Actor = 'person:mem_bob';

const client = hc<OrchestrationApp>('http://peer.invalid', { headers: { [ACTOR_HEADER]: PERSON } });
export type Client = (typeof client)['api']['workspaces'][':workspaceId'];

/** Memory where the host has it: a process that dies loses nothing there, and a hundred commits take no time. */
const FAST_DIR = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** One life of the service: its own connections, ended without warning at a commit point if told so. */
interface Life {
  service: OrchestrationService;
  databases: WorkspaceDatabases;
  points: string[];
  dropped: Promise<void>;
}

interface WorldOptions {
  script?: Script;
  repository?: boolean;
  mode?: Mode;
  prepare?: (dataDir: string) => Promise<void>;
}

/** A workspace with the other services in memory, on a real database file, in which the service can die and come back. */
export class World {
  readonly dir = mkdtempSync(join(FAST_DIR, 'orchestration-'));
  readonly outside: WorkspaceDatabases;
  readonly spaces: MemorySpaces;
  readonly runs: MemoryRuns;
  nowMs = 1_800_000_000_000;
  /** What the service has logged as errors. */
  readonly errors: unknown[] = [];
  spaceId = '';
  conversationId = '';
  agent: Actor = 'agent:agt_none';
  #life: Life | null = null;

  private constructor() {
    const wakes = new Wakes();
    wakes.onWake((workspaceId) => this.#life?.databases.wakes.wake(workspaceId));
    this.outside = new WorkspaceDatabases({ dataDir: this.dir, migrations: [MIGRATIONS], wakes });
    const writeEvent = eventWriter(this.outside, WORKSPACE);
    this.spaces = new MemorySpaces(writeEvent);
    this.runs = new MemoryRuns(writeEvent);
  }

  /** @param options.prepare is called with the data directory before anything is in it */
  static async create(options: WorldOptions = {}): Promise<World> {
    const world = new World();
    await options.prepare?.(world.dir);
    await world.outside.create(WORKSPACE);
    world.agent = `agent:${world.spaces.addAgent('ceo')}`;
    world.spaces.addAgent('engineer');
    const repositories = options.repository ? [{ name: 'app', path: '/repos/app' }] : [];
    const space = await world.spaces.createSpace({
      key: 'seed/space',
      name: 'Product',
      mode: options.mode ?? 'orchestrate',
      repositories,
      agents: [actorId(world.agent)],
    });
    world.spaceId = space.id;
    world.conversationId = space.mainConversationId;
    world.runs.script = options.script ?? answerScript();
    return world;
  }

  /** Starts the service; `dropAt` is the how-manieth commit point at which it dies, from 1. */
  async live(dropAt = Number.POSITIVE_INFINITY): Promise<Life> {
    const points: string[] = [];
    const { promise: dropped, resolve } = Promise.withResolvers<void>();
    const onPoint = (name: string) => {
      points.push(name);
      if (points.length < dropAt) return;
      resolve();
      throw new Error(`dropped at ${name}`);
    };
    const databases = new WorkspaceDatabases({
      ...{ dataDir: this.dir, migrations: [MIGRATIONS], wakes: new Wakes(), onPoint },
    });
    const service = createOrchestration({
      ...{ databases, log: errorLog(this.errors), clock: () => this.nowMs, onPoint },
      ...{ spaces: () => this.spaces, runs: () => this.runs },
    });
    this.#life = { service, databases, points, dropped };
    await databases.open(WORKSPACE).catch(() => undefined);
    await service.start().catch(() => undefined);
    return this.#life;
  }

  /** Ends the service as a crash leaves it: nothing more of it is written. */
  async drop(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    await life?.service.stop();
    await life?.databases.close();
  }

  async end(): Promise<void> {
    await this.drop();
    await this.runs.idle();
    await this.outside.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  as(actor: Actor): Client {
    if (!this.#life) throw new Error('the service is not running');
    return createPeer<OrchestrationApp>({ kind: 'embedded', app: this.#life.service.app })(actor).api
      .workspaces[':workspaceId'];
  }

  async events(type?: string): Promise<{ type: string; subject: string; data: Record<string, unknown> }[]> {
    const database = await this.outside.open(WORKSPACE);
    const rows = await database.read({
      sql: 'SELECT type, subject, data FROM events ORDER BY seq',
      args: [],
    });
    const events = rows.map((row) => ({
      ...{ type: String(row.type), subject: String(row.subject), data: JSON.parse(String(row.data)) },
    }));
    return type === undefined ? events : events.filter((event) => event.type === type);
  }

  /** Resolves once the listener has handled every event of the type, and would not be told of them again. */
  handled(type: string): Promise<void> {
    const sql =
      'SELECT (SELECT seq FROM orchestrationCursors) >= max(seq) AS past FROM events WHERE type = ?';
    return this.until(`${type} is handled`, async () => {
      const database = await this.outside.open(WORKSPACE);
      return Number((await database.read({ sql, args: [type] }))[0]?.past) === 1;
    });
  }

  /** Resolves once `condition` holds, looked at after every commit; rejects after the bound. */
  async until(what: string, condition: () => Promise<boolean> | boolean, boundMs = 10_000): Promise<void> {
    const giveUpAt = Date.now() + boundMs;
    while (!(await condition())) {
      if (Date.now() > giveUpAt) throw new Error(`waited ${boundMs} ms in vain: ${what}`);
      await this.#nextCommit();
    }
  }

  #nextCommit(): Promise<void> {
    const wakes = this.#life?.databases.wakes ?? this.outside.wakes;
    return wakes.wait(WORKSPACE, 20);
  }
}

function errorLog(errors: unknown[]): Log {
  return pino({ level: 'error' }, { write: (line) => void errors.push(JSON.parse(line)) });
}

/** Each role answers in its step's form. */
export function answerScript(over: Partial<Record<string, ReturnType<Script>>> = {}): Script {
  return (_run, step) => {
    const own = over[step];
    if (own) return own;
    if (step.startsWith('position/')) {
      return {
        text: 'see value',
        value: { position: `I stand by ${step}`, risks: ['time'], suggestions: ['small steps'] },
      };
    }
    if (step === 'synthesis') return { text: 'see value', value: { deliverable: '# The whole', gaps: [] } };
    return { text: `result of ${step}` };
  };
}

export function proposalOf(over: Partial<Proposal> = {}): Proposal {
  return {
    goal: 'Build the thing',
    roles: [
      { key: 'lead', title: 'Lead', agent: { existing: 'engineer' } },
      { key: 'tester', title: 'Tester', agent: { hire: { name: 'tess', persona: 'Careful.', skills: [] } } },
    ],
    research: { role: 'lead', brief: 'Look around' },
    discussion: { question: 'What matters?' },
    tickets: [
      {
        key: 'api',
        title: 'Make the API',
        description: 'Do it',
        role: 'lead',
        needs: [],
        outputSchema: null,
        references: [],
      },
      {
        key: 'test',
        title: 'Test the API',
        description: 'Try it',
        role: 'tester',
        needs: ['api'],
        outputSchema: null,
        references: [],
      },
    ],
    synthesis: { role: 'lead', brief: 'Put it together' },
    budgetMicros: 5_000_000,
    ...over,
  };
}

/** A node of a plan that needs the named ones. */
export function nodeOf(key: string, ...needs: string[]): PlanNode {
  return { key, title: `Node ${key}`, description: `Do ${key}`, needs };
}
