import { join } from 'node:path';
import { loadConfig } from '../../services/config.ts';
import { Fault } from '../../services/kit/fault.ts';
import type { CommandContext } from './command.ts';
import { isLoopback, isServing, unreachable } from './connect.ts';
import { modelCheck } from './model-check.ts';

export interface ServerUse {
  url: string;
  /** Whether it was started here and ends with `stop`. */
  inProcess: boolean;
  stop(): Promise<void>;
}

/** What is said of a token that was made just now, null at every later start. */
export function tokenLines(ownerToken: string | null, dataDir: string): string[] {
  if (ownerToken === null) return [];
  const kept = `It is kept in ${join(dataDir, 'owner-token')}, where cctl finds it.`;
  return [`Your token, shown this once: ${ownerToken}`, kept];
}

/** Uses the server at a URL, or starts one in this process when none answers there and the place is this machine. */
export async function serverAt(context: CommandContext, url: string): Promise<ServerUse> {
  if (await isServing(url)) return { url, inProcess: false, stop: async () => {} };
  if (!isLoopback(url) || !url.startsWith('http:')) throw unreachable(url);
  const config = loadConfig(context.env, { port: Number(new URL(url).port || 80) });
  const { ok, found, mend } = await modelCheck(config);
  if (!ok)
    throw new Fault(
      'invalid_configuration',
      `No model can be used: ${found}. ${mend} \`cctl demo\` needs neither.`,
    );
  const { startServer } = await import('../../services/main.ts');
  const server = await startServer(config);
  context.terminal.note(
    context.terminal.notePaint.dim(`Started a server at ${server.url} (data in ${config.dataDir}).`),
  );
  for (const line of tokenLines(server.ownerToken, config.dataDir)) context.terminal.note(line);
  return { url: server.url, inProcess: true, stop: () => server.stop() };
}
