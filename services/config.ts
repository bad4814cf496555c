import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { Fault } from './kit/fault.ts';
import { pathText } from './kit/validate.ts';

export const SERVICE_NAMES = ['spaces', 'runs', 'orchestration'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];

const PORT_RANGE = 'must be a whole number from 0 to 65535 (0 takes a free one)';
const RUNS_RANGE = 'must be a whole number from 1 to 200';
const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const Secret = z.string().min(16, 'must be at least 16 characters');

/** Everything a server can be told. Secrets are held here and in memory only; nothing writes them. */
export const Config = z.strictObject({
  /** Databases, worktrees and agents' directories. */
  dataDir: z.string().min(1, 'must name a folder'),
  /** Where the built web app is. */
  webDir: z.string().min(1, 'must name a folder'),
  /** 0 takes a free port. */
  port: z.coerce.number(PORT_RANGE).int(PORT_RANGE).min(0, PORT_RANGE).max(65_535, PORT_RANGE),
  /** Which services run in this process. */
  services: z.array(z.enum(SERVICE_NAMES)).min(1, 'name at least one service'),
  /** Base URLs of the services that run elsewhere. */
  peers: z.partialRecord(z.enum(SERVICE_NAMES), HttpUrl),
  /** Shared by the services of one installation; needed when they run in several processes. */
  serviceToken: Secret.nullable(),
  model: z.strictObject({
    baseUrl: HttpUrl.nullable(),
    apiKey: z.string().min(1).nullable(),
    defaultModel: z.string().min(1).nullable(),
  }),
  /** Where pull requests are; its token stays in this process. */
  github: z.strictObject({
    apiUrl: HttpUrl,
    token: z
      .string()
      .regex(/^[!-~]+$/, 'must be one word without blanks')
      .nullable(),
    webhookSecret: Secret.nullable(),
  }),
  /** Runs at once in a workspace. */
  concurrency: z.coerce.number(RUNS_RANGE).int(RUNS_RANGE).min(1, RUNS_RANGE).max(200, RUNS_RANGE),
  /** `host:port` that agents may fetch from though they are not public. */
  fetchAllow: z.array(
    z
      .string()
      .regex(
        /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\]):\d{1,5}$/,
        'must be host:port, as 10.0.0.8:8080, with commas between',
      ),
  ),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
  /** `point#n`: the process kills itself at the n-th pass of a commit point. For crash tests. */
  crashAt: z.string().nullable(),
  /** Every commit point passed is appended to this file. For crash tests. */
  pointLog: z.string().nullable(),
});
export type Config = z.infer<typeof Config>;

export const DEFAULT_PORT = 4400;
const BUILT_WEB = join(import.meta.dir, '../dist/web');

export function defaultDataDir(env: Record<string, string | undefined>): string {
  return (
    env.CONTROL_CENTER_DATA || join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'control-center')
  );
}

/**
 * Reads the configuration from environment variables, `overrides` winning.
 * @throws Fault invalid_configuration with every fault named
 */
export function loadConfig(env: Record<string, string | undefined>, overrides: Partial<Config> = {}): Config {
  const parsed = Config.safeParse({ ...fromEnvironment(env), ...overrides });
  const faults = parsed.success
    ? [...missingPeers(parsed.data), ...contradictions(parsed.data)]
    : faultsOf(parsed.error);
  if (parsed.success && faults.length === 0) return { ...parsed.data, dataDir: resolve(parsed.data.dataDir) };
  throw new Fault('invalid_configuration', `The configuration is not valid: ${faults.join('; ')}.`, {
    faults,
  });
}

function fromEnvironment(env: Record<string, string | undefined>) {
  const peers = {
    spaces: env.SPACES_URL,
    runs: env.RUNS_URL,
    orchestration: env.ORCHESTRATION_URL,
  };
  return {
    dataDir: defaultDataDir(env),
    webDir: env.CONTROL_CENTER_WEB_DIR || BUILT_WEB,
    port: env.CONTROL_CENTER_PORT || DEFAULT_PORT,
    services: (env.SERVICES || SERVICE_NAMES.join(',')).split(',').map((name) => name.trim()),
    peers: Object.fromEntries(Object.entries(peers).filter(([, url]) => url)),
    serviceToken: env.CONTROL_CENTER_SERVICE_TOKEN || null,
    model: {
      baseUrl: env.ANTHROPIC_BASE_URL || null,
      apiKey: env.ANTHROPIC_API_KEY || null,
      defaultModel: env.CONTROL_CENTER_MODEL || null,
    },
    github: {
      apiUrl: env.GITHUB_API_URL || 'https://api.github.com',
      token: env.GITHUB_TOKEN || null,
      webhookSecret: env.GITHUB_WEBHOOK_SECRET || null,
    },
    concurrency: env.CONTROL_CENTER_CONCURRENCY || 8,
    fetchAllow: listOf(env.CC_FETCH_ALLOW),
    logLevel: env.CONTROL_CENTER_LOG || 'warn',
    crashAt: env.CONTROL_CENTER_CRASH_AT || null,
    pointLog: env.CONTROL_CENTER_POINT_LOG || null,
  };
}

function listOf(text = ''): string[] {
  const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
  return entries.filter((entry) => entry !== '');
}

/** Where a setting comes from, so that a fault names what the person can change. */
const SOURCES: Readonly<Record<string, string>> = {
  dataDir: 'CONTROL_CENTER_DATA',
  webDir: 'CONTROL_CENTER_WEB_DIR',
  port: 'CONTROL_CENTER_PORT',
  services: 'SERVICES',
  'peers.spaces': 'SPACES_URL',
  'peers.runs': 'RUNS_URL',
  'peers.orchestration': 'ORCHESTRATION_URL',
  serviceToken: 'CONTROL_CENTER_SERVICE_TOKEN',
  'model.baseUrl': 'ANTHROPIC_BASE_URL',
  'model.apiKey': 'ANTHROPIC_API_KEY',
  'model.defaultModel': 'CONTROL_CENTER_MODEL',
  'github.apiUrl': 'GITHUB_API_URL',
  'github.token': 'GITHUB_TOKEN',
  'github.webhookSecret': 'GITHUB_WEBHOOK_SECRET',
  concurrency: 'CONTROL_CENTER_CONCURRENCY',
  fetchAllow: 'CC_FETCH_ALLOW',
  logLevel: 'CONTROL_CENTER_LOG',
};

function faultsOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => {
    const source = SOURCES[pathText(path)] ?? SOURCES[String(path[0])] ?? pathText(path);
    return `${source}: ${message}`;
  });
}

function missingPeers(config: Config): string[] {
  const elsewhere = SERVICE_NAMES.filter((name) => !config.services.includes(name));
  const faults = elsewhere
    .filter((name) => !config.peers[name])
    .map((name) => `SERVICES leaves out ${name}, so ${name.toUpperCase()}_URL must say where it runs`);
  if (elsewhere.length > 0 && !config.serviceToken) {
    faults.push(
      'CONTROL_CENTER_SERVICE_TOKEN must be set, the same for all, when services run in several processes',
    );
  }
  return faults;
}

/** Addresses that cannot be meant: of a service that runs here, another port; of one that does not, this server's own. */
function contradictions({ port, services, peers }: Config): string[] {
  if (port === 0) return [];
  return SERVICE_NAMES.flatMap((name) => {
    const url = peers[name];
    if (url === undefined) return [];
    const isOwn = isOwnAddress(url, port);
    const variable = `${name.toUpperCase()}_URL`;
    if (services.includes(name) && !isOwn)
      return [
        `SERVICES runs ${name} here on port ${port}, but ${variable} says ${url}; take one of the two out`,
      ];
    if (!services.includes(name) && isOwn)
      return [
        `${variable} is this server's own address ${url}, but SERVICES leaves ${name} out; say where it runs`,
      ];
    return [];
  });
}

function isOwnAddress(url: string, port: number): boolean {
  const { hostname, port: named, protocol } = new URL(url);
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return isHere && Number(named || (protocol === 'https:' ? 443 : 80)) === port;
}
