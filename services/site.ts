import { accessSync, constants, mkdirSync } from 'node:fs';
import { createPointHook } from './commit-points.ts';
import type { Config, ServiceName } from './config.ts';
import type { Handler } from './gateway.ts';
import { WorkspaceDatabases } from './kit/database/workspace-databases.ts';
import { Fault } from './kit/fault.ts';
import { createLog, type Log } from './kit/log.ts';
import type { Transport } from './kit/peer.ts';
import { Wakes } from './kit/wakes.ts';
import { MIGRATIONS as ORCHESTRATION_MIGRATIONS } from './orchestration/migrations.ts';
import { MIGRATIONS as RUNS_MIGRATIONS } from './runs/migrations.ts';
import { MIGRATIONS as SPACES_MIGRATIONS } from './spaces/migrations.ts';

/** A service of this process: its inner app, and what to do at start and at stop. */
interface Part {
  handle: Handler;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export type Parts = Partial<Record<ServiceName, Part>>;

/** What the services of one process share. */
export interface Site {
  config: Config;
  log: Log;
  wakes: Wakes;
  databases: WorkspaceDatabases;
  onPoint: ((name: string) => void) | undefined;
  transport(service: ServiceName): Transport;
}

export function createSite(config: Config, parts: Parts): Site {
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

function partOf(parts: Parts, name: ServiceName): Part {
  const part = parts[name];
  if (part) return part;
  throw new Fault('unavailable', `The service ${name} is not up yet.`);
}

/** @throws Fault invalid_configuration, disk_full */
export function prepareDataDir(dataDir: string): void {
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
