import { resolve } from 'node:path';
import type { Command } from 'commander';
import { DEFAULT_PORT, defaultDataDir, loadConfig } from '../../../services/config.ts';
import type { RunningServer } from '../../../services/main.ts';
import { createClient } from '../client/client.ts';
import { type Cli, onAction } from '../command.ts';
import { usageError } from '../command-error.ts';
import { tokenLines } from '../in-process.ts';
import { modelCheck } from '../model-check.ts';
import { newSignInLink } from '../sign-in-link.ts';
import { type Environment, writeOut } from '../terminal.ts';
import { wholeNumber } from '../whole-number.ts';

const FIRST_LINK_MS = 24 * 60 * 60_000;

interface Options {
  json?: boolean;
  port?: string;
  data?: string;
}

export function addServe(program: Command, cli: Cli): void {
  const command = program
    .command('serve')
    .description('run the server until it is told to stop')
    .option('--port <n>', 'port on 127.0.0.1; 0 takes a free one (default: CONTROL_CENTER_PORT or 4400)')
    .option('--data <dir>', 'data directory (default: CONTROL_CENTER_DATA or ~/.local/share/control-center)');
  onAction<Options>(cli, command, async ({ env, terminal }, options) => {
    if (options.data?.trim() === '') throw usageError('--data names no folder.');
    const config = loadConfig(env, {
      ...(options.port === undefined ? {} : { port: wholeNumber(options.port, '--port', 0, 65_535) }),
      ...(options.data === undefined ? {} : { dataDir: options.data }),
    });
    const stopped = stopSignal();
    const { startServer } = await import('../../../services/main.ts');
    const server = await startServer(config);
    const { url, ownerToken } = server;
    const signInUrl = await firstLink(server);
    const started = terminal.json
      ? JSON.stringify({ url, ownerToken, signInUrl, dataDir: config.dataDir })
      : welcome(env, config.dataDir, server, signInUrl);
    await writeOut(process.stdout, `${started}\n`);
    const { ok, found, mend } = await modelCheck(config);
    if (!ok && config.services.includes('runs')) terminal.note(`Not ready for agents: ${found}. ${mend}`);
    await stopped;
    await server.stop();
    return { value: undefined, text: '' };
  });
}

/** At the very first start; null at every later one. */
async function firstLink({ url, ownerToken }: RunningServer): Promise<string | null> {
  if (ownerToken === null) return null;
  const client = createClient({ url, token: ownerToken, patienceMs: 0 });
  return (await newSignInLink(client, { validForMs: FIRST_LINK_MS })).url;
}

function welcome(
  env: Environment,
  dataDir: string,
  { url, ownerToken }: RunningServer,
  signInUrl: string | null,
): string {
  const lines = [`Control Center answers at ${url}`, ...tokenLines(ownerToken, dataDir)];
  const link = signInUrl && `Sign in with your browser, once and within 24 hours: ${signInUrl}`;
  return [
    ...lines,
    link ?? 'Sign in with your browser: `cctl sign-in` prints a link.',
    ...findLines(env, url, dataDir),
  ].join('\n');
}

/** What the other commands have to be told where the server is not where they look by themselves. */
function findLines(env: Environment, url: string, dataDir: string): string[] {
  const looked = env.CONTROL_CENTER_URL || `http://127.0.0.1:${env.CONTROL_CENTER_PORT || DEFAULT_PORT}`;
  const isFound = URL.canParse(looked) && new URL(looked).origin === url;
  const settings = [
    ...(isFound ? [] : [`CONTROL_CENTER_URL=${url}`]),
    ...(resolve(defaultDataDir(env)) === dataDir ? [] : [`CONTROL_CENTER_DATA=${Bun.$.escape(dataDir)}`]),
  ];
  return settings.length === 0 ? [] : [`Other commands find it with: export ${settings.join(' ')}`];
}

/** Resolves at the first signal to end; the default of a second one holds, so that a stop that hangs can be broken. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
