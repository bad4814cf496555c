import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACTOR_HEADER, type Actor } from '../kit/actor.ts';
import type { Clock } from '../kit/clock.ts';
import { Database } from '../kit/database/database.ts';
import { readEvents, type WorkspaceEvent } from '../kit/database/event-log.ts';
import { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import { Fault } from '../kit/fault.ts';
import { newId } from '../kit/id.ts';
import { silentLog } from '../kit/log.ts';
import { Wakes } from '../kit/wakes.ts';
import type { ListModels } from './agents/model-choice.ts';
import type { SpacesDeps } from './deps.ts';
import type { Member } from './members/schema.ts';
import { MIGRATIONS } from './migrations.ts';
import type { ActivitiesPort } from './presence/activities-port.ts';
import { createGitHub } from './reviews/github/github.ts';
import type { PullRequestHost } from './reviews/pull-request-host.ts';
import { createSpaces, type Spaces } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type Answer = { status: number; body: any };
type Call = (method: string, path: string, body?: unknown, actor?: Actor) => Promise<Answer>;

export interface OpenSpaces {
  spaces: Spaces;
  deps: SpacesDeps;
  /** A member who exists. */
  person: Actor;
  call: Call;
  events(workspaceId: string, type?: string): Promise<WorkspaceEvent[]>;
  close(): Promise<void>;
}

export interface OpenOptions {
  dataDir: string;
  activities?: ActivitiesPort;
  pullRequests?: PullRequestHost;
  webhookSecret?: string;
  listModels?: ListModels;
  clock?: Clock;
  onPoint?: (name: string) => void;
}

/** No agent has ever run. */
const NO_ACTIVITIES: ActivitiesPort = {
  read: async () => [],
  async *follow(_, signal) {
    yield [];
    const { promise, resolve } = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (!signal.aborted) await promise;
  },
};

/** The service on real database files under `dataDir`, started, with its owner. */
export async function openSpaces(options: OpenOptions): Promise<OpenSpaces> {
  const { dataDir, onPoint, clock = Date.now } = options;
  const databases = new WorkspaceDatabases({
    dataDir,
    migrations: [MIGRATIONS],
    wakes: new Wakes(),
    onPoint,
  });
  const control = await Database.open(`file:${join(dataDir, 'control.db')}`, { onPoint });
  const deps: SpacesDeps = {
    control,
    databases,
    dataDir,
    inspectRepository: async (_workspaceId, path) => {
      if (!path.startsWith('/repos/')) throw new Fault('not_a_repository', `${path} is no repository.`);
      return { path: path.replace(/\/+$/, ''), defaultBranch: 'main', head: '0'.repeat(40) };
    },
    activities: options.activities ?? NO_ACTIVITIES,
    listModels: options.listModels ?? noModels,
    pullRequests: options.pullRequests ?? createGitHub({ apiUrl: 'http://127.0.0.1:1', token: null }),
    webhookSecret: options.webhookSecret ?? null,
    log: silentLog,
    clock,
    onPoint,
  };
  const spaces = createSpaces(deps);
  await spaces.ensureOwner();
  await spaces.start();
  const token = (await Bun.file(join(dataDir, 'owner-token')).text()).trim();
  const person = (await spaces.actorOfToken(token)) as Actor;
  return {
    spaces,
    deps,
    person,
    call: (method, path, body, actor = person) => request(spaces, method, path, body, actor),
    async events(workspaceId, type) {
      const all = await readEvents(await databases.open(workspaceId), 0, 100_000);
      return type ? all.filter((event) => event.type === type) : all;
    },
    async close() {
      await spaces.stop();
      await databases.close();
      control.close();
    },
  };
}

/** Whoever chooses no model must not need the agents' side. */
async function noModels(): Promise<never> {
  throw new Fault('unavailable', 'The service runs cannot be reached.');
}

async function request(
  spaces: Spaces,
  method: string,
  path: string,
  body: unknown,
  actor: Actor,
): Promise<Answer> {
  const headers = { [ACTOR_HEADER]: actor, 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const response = await spaces.app.request(`/api${path}`, init);
  return { status: response.status, body: await response.json() };
}

/** A further member; people are not invited by any route yet. */
export async function addMember(open: OpenSpaces, role: Member['role']): Promise<Actor> {
  const id = newId('mem');
  await open.deps.control.write('member.add', [
    {
      sql: 'INSERT INTO members (id, name, role, createdAt) VALUES (?, ?, ?, ?)',
      args: [id, `A ${role}`, role, open.deps.clock()],
    },
  ]);
  return `person:${id}`;
}

export function temporaryDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'spaces-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Resolves when `state` turns ready; seeding ends within the bound or the test fails. */
export async function readyWorkspace(open: OpenSpaces, name: string, key?: string): Promise<string> {
  const { body } = await open.call('POST', '/workspaces', { name, key });
  const giveUpAt = Date.now() + 20_000;
  while (Date.now() < giveUpAt) {
    const { body: workspace } = await open.call('GET', `/workspaces/${body.id}`);
    if (workspace.state === 'ready') return body.id;
    await open.deps.databases.wakes.wait(body.id, 100);
  }
  throw new Error(`workspace ${body.id} did not become ready`);
}
