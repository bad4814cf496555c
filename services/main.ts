import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createPointHook } from './commit-points.ts';
import { type Config, loadConfig, SERVICE_NAMES, type ServiceName } from './config.ts';
import { createGateway, createProxy, type Handler, nudgePeers } from './gateway.ts';
import type { Actor } from './kit/actor.ts';
import { systemClock } from './kit/clock.ts';
import { Database } from './kit/database/database.ts';
import { emptyDatabase, isEmptyFile } from './kit/database/empty-file.ts';
import { holdDataDir } from './kit/database/hold-data-dir.ts';
import { WorkspaceDatabases } from './kit/database/workspace-databases.ts';
import { createEdge } from './kit/edge.ts';
import { Fault, hasFaultCode } from './kit/fault.ts';
import { createLog, type Log } from './kit/log.ts';
import { createPeer, type Transport, unwrap } from './kit/peer.ts';
import { Wakes } from './kit/wakes.ts';
import { MIGRATIONS as ORCHESTRATION_MIGRATIONS } from './orchestration/migrations.ts';
import {
  runsPort as orchestrationRunsPort,
  spacesPort as orchestrationSpacesPort,
} from './orchestration/peers.ts';
import { createOrchestration, type OrchestrationApp } from './orchestration/service.ts';
import { createEmbeddedRunner } from './runner/embedded.ts';
import { MIGRATIONS as RUNS_MIGRATIONS } from './runs/migrations.ts';
import { createModelCatalogue } from './runs/models/catalogue.ts';
import { readModelsFile } from './runs/models/models-file.ts';
import { planPort, proposePort, spacesPort as runsSpacesPort } from './runs/peers.ts';
import { createRuns, type RunsApp } from './runs/service.ts';
import { MIGRATIONS as SPACES_MIGRATIONS } from './spaces/migrations.ts';
import { createSpaces, type Spaces, type SpacesApp } from './spaces/service.ts';

export interface RunningServer {
  url: string;
  /** Given at the very first start only. */
  ownerToken: string | null;
  stop(): Promise<void>;
}

/** A service of this process: its inner app, and what to do at start and at stop. */
interface Part {
  handle: Handler;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What the services of one process share. */
interface Site {
  config: Config;
  log: Log;
  wakes: Wakes;
  databases: WorkspaceDatabases;
  onPoint: ((name: string) => void) | undefined;
  transport(service: ServiceName): Transport;
}

/**
 * Starts the configured services in this process, on loopback, and goes on with whatever an earlier process left
 * unfinished. While it runs, no other process may run the same services on its data.
 * @throws Fault port_in_use, data_in_use, database_corrupt, disk_full, invalid_configuration
 */
export async function startServer(config: Config): Promise<RunningServer> {
  prepareDataDir(config.dataDir);
  const release = await holdDataDir(config.dataDir, config.services);
  try {
    const server = await startServices(config);
    return { ...server, stop: () => server.stop().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function startServices(config: Config): Promise<RunningServer> {
  const parts: Partial<Record<ServiceName, Part>> = {};
  const site = createSite(config, parts);
  const spaces = config.services.includes('spaces') ? await addSpaces(site, parts) : null;
  if (config.services.includes('runs')) await addRuns(site, parts);
  if (config.services.includes('orchestration')) addOrchestration(site, parts);
  const { token } = spaces ? await spaces.ensureOwner() : { token: null };
  const server = listen(site, parts, spaces);
  const stopNudges = config.serviceToken
    ? nudgePeers(config.peers, config.serviceToken, site.wakes, site.log)
    : () => {};
  for (const name of SERVICE_NAMES) await parts[name]?.start();
  return {
    url: server.url.origin,
    ownerToken: token,
    async stop() {
      stopNudges();
      for (const name of SERVICE_NAMES.toReversed()) await parts[name]?.stop();
      await server.stop(true);
      await site.databases.close();
    },
  };
}

function createSite(config: Config, parts: Partial<Record<ServiceName, Part>>): Site {
  const log = createLog(config.logLevel);
  const wakes = new Wakes();
  const onPoint = createPointHook(config.crashAt, config.pointLog);
  const sets = { spaces: SPACES_MIGRATIONS, runs: RUNS_MIGRATIONS, orchestration: ORCHESTRATION_MIGRATIONS };
  const databases = new WorkspaceDatabases({
    dataDir: config.dataDir,
    migrations: config.services.map((name) => sets[name]),
    wakes,
    onPoint,
  });
  const transport = (service: ServiceName): Transport =>
    config.services.includes(service)
      ? { kind: 'embedded', app: { request: (request) => partOf(parts, service).handle(request) } }
      : { kind: 'remote', baseUrl: config.peers[service] ?? '', serviceToken: config.serviceToken ?? '' };
  return { config, log, wakes, databases, onPoint, transport };
}

function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = String((error as { code?: unknown }).code ?? error);
    const mend =
      'It must be a folder that this user may write to: mend it, or choose another with --data or CONTROL_CENTER_DATA.';
    throw new Fault(
      reason === 'ENOSPC' ? 'disk_full' : 'invalid_configuration',
      `The data directory ${dataDir} cannot be used (${reason}). ${mend}`,
      { dataDir },
      { cause: error },
    );
  }
}

function partOf(parts: Partial<Record<ServiceName, Part>>, name: ServiceName): Part {
  const part = parts[name];
  if (part) return part;
  throw new Fault('unavailable', `The service ${name} is not up yet.`);
}

async function addSpaces(site: Site, parts: Partial<Record<ServiceName, Part>>): Promise<Spaces> {
  const control = await openControl(site);
  const runs = createPeer<RunsApp>(site.transport('runs'));
  const spaces = createSpaces({
    control,
    databases: site.databases,
    dataDir: site.config.dataDir,
    inspectRepository: (workspaceId, path, actor) =>
      unwrap(
        runs(actor).api.workspaces[':workspaceId'].repositories.inspect.$post({
          param: { workspaceId },
          json: { path },
        }),
      ),
    log: site.log,
    clock: systemClock,
    onPoint: site.onPoint,
  });
  parts.spaces = { ...spaces, handle: (request) => spaces.app.fetch(request) };
  return spaces;
}

async function openControl({ config: { dataDir }, onPoint }: Site): Promise<Database> {
  const path = join(dataDir, 'control.db');
  const isUsed = ['owner-token', 'workspaces'].some((name) => existsSync(join(dataDir, name)));
  if (isUsed && isEmptyFile(path)) throw emptyDatabase(path);
  return Database.open(`file:${path}`, { onPoint });
}

async function addRuns(site: Site, parts: Partial<Record<ServiceName, Part>>): Promise<void> {
  const { config, databases, log, onPoint } = site;
  const { baseUrl, apiKey, defaultModel } = config.model;
  const fromFile = await readModelsFile(join(config.dataDir, 'models.json'));
  const runner = createEmbeddedRunner({ dataDir: config.dataDir, ...(onPoint ? { onPoint } : {}) });
  const orchestration = createPeer<OrchestrationApp>(site.transport('orchestration'));
  const runs = createRuns({
    databases,
    dataDir: config.dataDir,
    spaces: runsSpacesPort(createPeer<SpacesApp>(site.transport('spaces'))),
    proposeOrchestration: proposePort(orchestration),
    submitPlan: planPort(orchestration),
    runner,
    models: createModelCatalogue({ ...fromFile, baseUrl, apiKey, ...(defaultModel ? { defaultModel } : {}) }),
    log,
    clock: systemClock,
    onPoint,
    concurrency: config.concurrency,
    secrets: [apiKey, config.serviceToken].filter((secret) => secret !== null),
  });
  parts.runs = {
    handle: (request) => runs.app.fetch(request),
    start: () => runs.start(),
    async stop() {
      await runs.stop();
      await runner.close();
    },
  };
}

function addOrchestration(site: Site, parts: Partial<Record<ServiceName, Part>>): void {
  const spaces = createPeer<SpacesApp>(site.transport('spaces'));
  const runs = createPeer<RunsApp>(site.transport('runs'));
  const orchestration = createOrchestration({
    databases: site.databases,
    spaces: orchestrationSpacesPort(spaces),
    runs: orchestrationRunsPort(runs),
    log: site.log,
    clock: systemClock,
    onPoint: site.onPoint,
  });
  parts.orchestration = { ...orchestration, handle: (request) => orchestration.app.fetch(request) };
}

function listen(site: Site, parts: Partial<Record<ServiceName, Part>>, spaces: Spaces | null) {
  const { config, wakes, log } = site;
  const handlers = Object.fromEntries(
    SERVICE_NAMES.map((name): [ServiceName, Handler] => [
      name,
      parts[name]?.handle ?? createProxy(config.peers[name] ?? '', config.serviceToken ?? ''),
    ]),
  ) as Record<ServiceName, Handler>;
  const hosts: string[] = [];
  const edge = createEdge({
    hosts: () => hosts,
    actorOfToken: async (token): Promise<Actor | null> => (spaces ? spaces.actorOfToken(token) : null),
    serviceToken: config.serviceToken,
    handle: createGateway({ handlers, local: config.services, wakes }),
    log,
  });
  const server = bind(config.port, edge);
  hosts.push(`127.0.0.1:${server.port}`, `localhost:${server.port}`);
  return server;
}

function bind(port: number, edge: (request: Request) => Promise<Response>) {
  try {
    // Event streams are quiet for long; their own heartbeats keep them open. The edge bounds bodies, and says so.
    const unbounded = { idleTimeout: 0, maxRequestBodySize: Number.MAX_SAFE_INTEGER };
    return Bun.serve({ hostname: '127.0.0.1', port, ...unbounded, fetch: edge });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    const problem = code === 'EADDRINUSE' ? 'is in use' : 'may not be used by this user';
    const mend =
      'End what listens there, or choose another with --port or CONTROL_CENTER_PORT (0 takes a free one).';
    throw new Fault(
      code === 'EADDRINUSE' ? 'port_in_use' : 'invalid_configuration',
      `Port ${port} of 127.0.0.1 ${problem}. ${mend}`,
      { port },
      { cause: error },
    );
  }
}

/** Serves until a signal to end; a start that fails is one line on stderr and a status that is not zero. */
async function serve(): Promise<void> {
  try {
    const server = await startServer(loadConfig(process.env));
    process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
    const end = () => void server.stop().then(() => process.exit(0));
    process.once('SIGINT', end).once('SIGTERM', end);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    process.stderr.write(`error: ${error.message.replace(/\s*\n\s*/g, ' ')}\n`);
    process.exit(hasFaultCode(error, 'invalid_configuration') ? 2 : 1);
  }
}

if (import.meta.main) await serve();
