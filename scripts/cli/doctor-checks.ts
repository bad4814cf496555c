import { constants } from 'node:fs';
import { access, mkdtemp, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { type Config, loadConfig } from '../../services/config.ts';
import { createEmbeddedRunner } from '../../services/runner/embedded.ts';
import type { HostFacts } from '../../services/runner/runner.ts';
import type { Check } from './check.ts';
import { reportOf } from './command-error.ts';
import { isServing, serverUrl } from './connect.ts';
import { modelCheck } from './model-check.ts';
import { providerChecks } from './provider-checks.ts';
import type { Environment } from './terminal.ts';

const LEAST_FREE_BYTES = 1 << 30;

/** Looks at everything that the main job needs; a check that throws is a check that failed. */
export async function runChecks(env: Environment): Promise<Check[]> {
  const checks = [bunCheck(), ...(await hostChecks()), await guarded('core', true, coreCheck)];
  const config = configOf(env);
  if ('mend' in config) return [...checks, config];
  checks.push(
    await guarded('data directory', true, () => dataCheck(config.dataDir)),
    ...(await modelChecks(config)),
    await guarded('server', true, () => serverCheck(env, config.port)),
  );
  return checks;
}

/** What keeps the configuration of the models from being read is told once. */
async function modelChecks(config: Config): Promise<Check[]> {
  try {
    return [await modelCheck(config), ...(await providerChecks(config))];
  } catch (error) {
    return [await guarded('model', true, () => Promise.reject(error))];
  }
}

async function guarded(name: string, required: boolean, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return { name, ok: false, required, found: 'not working', mend: reportOf(error).problem.detail };
  }
}

function configOf(env: Environment): Config | Check {
  try {
    return loadConfig(env);
  } catch (error) {
    const mend = reportOf(error).problem.detail;
    return { name: 'configuration', ok: false, required: true, found: 'not valid', mend };
  }
}

function bunCheck(): Check {
  const least = packageFile.engines.bun.replace(/^>=/, '');
  const ok = Bun.semver.order(Bun.version, least) >= 0;
  const mend = ok ? null : `Bun ${least} or later is needed: \`bun upgrade\`.`;
  return { name: 'bun', ok, required: true, found: Bun.version, mend };
}

// The probe gets a data directory of its own: the real one may belong to a server that is running.
async function hostChecks(): Promise<Check[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cctl-doctor-'));
  try {
    const runner = createEmbeddedRunner({ dataDir });
    const facts = await runner.probe();
    await runner.close();
    return [gitCheck(facts), ripgrepCheck(facts), sandboxCheck(facts)];
  } catch (error) {
    return [await guarded('runner', true, () => Promise.reject(error))];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function gitCheck({ git }: HostFacts): Check {
  const mend = git === null ? 'Install git: `apt-get install git`, or `brew install git`.' : null;
  return { name: 'git', ok: git !== null, required: true, found: git ?? 'not found', mend };
}

function ripgrepCheck({ ripgrep }: HostFacts): Check {
  const mend = ripgrep ? null : 'Agents cannot search files without it: `bun run setup`, or install ripgrep.';
  return { name: 'ripgrep', ok: ripgrep, required: false, found: ripgrep ? 'found' : 'not found', mend };
}

function sandboxCheck({ sandbox, platform }: HostFacts): Check {
  const ok = sandbox.backend !== null;
  const found = sandbox.backend ?? `none: ${sandbox.reason ?? 'no backend here'}`;
  const how = platform.startsWith('linux') ? ' Install bubblewrap: `apt-get install bubblewrap`.' : '';
  const mend = ok ? null : `Agents' commands run without an OS sandbox.${how}`;
  return { name: 'sandbox', ok, required: false, found, mend };
}

async function coreCheck(): Promise<Check> {
  const { coreDigest } = await import('../../core-wasm/core.ts');
  return { name: 'core', ok: true, required: true, found: `sha256 ${coreDigest.slice(0, 16)}`, mend: null };
}

async function dataCheck(dataDir: string): Promise<Check> {
  const existing = await nearestExisting(dataDir);
  const isUsable = await access(join(existing, '.'), constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isUsable) {
    const mend = `It has to be a folder that this user may write to: ${existing} is none. Mend it, or choose another place with CONTROL_CENTER_DATA.`;
    return { name: 'data directory', ok: false, required: true, found: dataDir, mend };
  }
  const { bavail, bsize } = await statfs(existing);
  const free = bavail * bsize;
  const ok = free >= LEAST_FREE_BYTES;
  const found = `${dataDir}, ${(free / 1e9).toFixed(1)} GB free`;
  const mend = ok
    ? null
    : 'Less than 1 GiB is free. Make room, or choose another place with CONTROL_CENTER_DATA.';
  return { name: 'data directory', ok, required: true, found, mend };
}

async function nearestExisting(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const exists = await access(at).then(
      () => true,
      () => false,
    );
    if (exists || at === dirname(at)) return at;
  }
}

async function serverCheck(env: Environment, port: number): Promise<Check> {
  if (!env.CONTROL_CENTER_URL) return portCheck(port);
  const url = serverUrl(env);
  const ok = await isServing(url);
  const mend = ok ? null : 'Start it, or take CONTROL_CENTER_URL out to use one on this machine.';
  return { name: 'server', required: true, ok, found: `${ok ? 'answers' : 'none answers'} at ${url}`, mend };
}

async function portCheck(port: number): Promise<Check> {
  const shared = { name: 'server', required: true };
  const url = `http://127.0.0.1:${port}`;
  if (port !== 0 && (await isServing(url)))
    return { ...shared, ok: true, found: `answers at ${url}`, mend: null };
  if (await canBind(port))
    return { ...shared, ok: true, found: `not running; port ${port} is free`, mend: null };
  const mend = `Another program has port ${port}. Choose another with \`cctl serve --port\` or CONTROL_CENTER_PORT.`;
  return { ...shared, ok: false, found: `port ${port} is taken`, mend };
}

function canBind(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}
