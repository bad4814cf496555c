import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_PORT, defaultDataDir } from '../../services/config.ts';
import { isPerson, parseActor } from '../../services/kit/actor.ts';
import { type Client, createClient } from './client/client.ts';
import { CommandError, usageError } from './command-error.ts';
import { EXIT } from './exit-status.ts';
import type { Environment } from './terminal.ts';
import { wholeNumber } from './whole-number.ts';

export interface ConnectOptions {
  url?: string | undefined;
  /** How long a server that is away is waited for; default: not at all. */
  patienceMs?: number;
  signal?: AbortSignal | undefined;
}

/** A client for the server that the options and environment name, with the token that belongs to it. */
export async function connect(env: Environment, options: ConnectOptions): Promise<Client> {
  const url = serverUrl(env, options.url);
  const token = tokenFor(url, env);
  if (token === null) throw (await isServing(url)) ? noToken(url) : unreachable(url);
  // Patience is for a server that goes away, not for one that never was there.
  if (options.patienceMs && !(await isServing(url))) throw unreachable(url);
  return createClient({ url, token, patienceMs: options.patienceMs ?? 0, signal: options.signal });
}

/** --url, CONTROL_CENTER_URL, or the usual port of this machine. */
export function serverUrl(env: Environment, given?: string): string {
  const { text, source } = namedUrl(env, given);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin;
  throw usageError(`${source}: ${JSON.stringify(text)} is no http or https URL.`);
}

function namedUrl(env: Environment, given: string | undefined): { text: string; source: string } {
  if (given !== undefined) return { text: given, source: '--url' };
  const { CONTROL_CENTER_URL: url, CONTROL_CENTER_PORT: port } = env;
  if (url) return { text: url, source: 'CONTROL_CENTER_URL' };
  const here = wholeNumber(port || String(DEFAULT_PORT), 'CONTROL_CENTER_PORT', 0, 65_535);
  return { text: `http://127.0.0.1:${here}`, source: 'CONTROL_CENTER_PORT' };
}

/** The owner-token file is this machine's: it is never sent to another. @throws CommandError usage */
export function tokenFor(url: string, env: Environment): string | null {
  const given = env.CONTROL_CENTER_TOKEN?.trim();
  if (given && !/^[!-~]+$/.test(given))
    throw usageError('CONTROL_CENTER_TOKEN is no token: it must be one word without blanks.');
  if (given) return given;
  const file = join(defaultDataDir(env), 'owner-token');
  return isLoopback(url) && existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Whether a Control Center server answers there. */
export async function isServing(url: string): Promise<boolean> {
  try {
    const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(5_000) });
    return response.ok;
  } catch {
    // Whatever the connection failed of, nobody is there.
    return false;
  }
}

/**
 * Makes sure that the token is a person's.
 * @throws CommandError needs a person
 */
export async function requirePersonsToken(client: Client, what: string): Promise<void> {
  const { actor } = await client.me();
  if (isPerson(parseActor(actor))) return;
  const message = `${what} needs a person's token, and this one belongs to ${actor}. Set CONTROL_CENTER_TOKEN to your own.`;
  throw new CommandError(EXIT.needsPerson, 'people_only', message, { actor });
}

function noToken(url: string): CommandError {
  const message = `No token for ${url}: set CONTROL_CENTER_TOKEN${isLoopback(url) ? ', or CONTROL_CENTER_DATA to the data directory of its server' : ''}.`;
  return new CommandError(EXIT.needsPerson, 'unauthenticated', message, { url });
}

export function unreachable(url: string): CommandError {
  const message = `No server answers at ${url}. Start one with \`cctl serve\`, or say where it is with --url.`;
  return new CommandError(EXIT.unreachable, 'unreachable', message, { url });
}
