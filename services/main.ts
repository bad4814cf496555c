import { type Config, loadConfig, SERVICE_NAMES } from './config.ts';
import { nudgePeers } from './gateway.ts';
import { holdDataDir } from './kit/database/hold-data-dir.ts';
import { Fault, hasFaultCode } from './kit/fault.ts';
import { listen } from './listen.ts';
import { addOrchestration, addRuns, addSpaces } from './parts.ts';
import { createSite, type Parts, prepareDataDir } from './site.ts';

export interface RunningServer {
  url: string;
  /** Given at the very first start only. */
  ownerToken: string | null;
  stop(): Promise<void>;
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
  const parts: Parts = {};
  const site = createSite(config, parts);
  const spaces = config.services.includes('spaces') ? await addSpaces(site, parts) : null;
  if (config.services.includes('runs')) await addRuns(site, parts);
  if (config.services.includes('orchestration')) addOrchestration(site, parts);
  const { token } = spaces ? await spaces.ensureOwner() : { token: null };
  const server = listen(site, parts);
  const stopNudges = config.serviceToken
    ? nudgePeers(config.peers, config.serviceToken, site.wakes, site.log)
    : () => {};
  for (const name of SERVICE_NAMES) await parts[name]?.start();
  return {
    url: server.url.origin,
    ownerToken: token,
    async stop() {
      server.live.stop();
      stopNudges();
      for (const name of SERVICE_NAMES.toReversed()) await parts[name]?.stop();
      await server.stop();
      await site.databases.close();
    },
  };
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
