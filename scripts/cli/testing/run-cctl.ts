import { join } from 'node:path';
import { TOKEN } from './fake-server.ts';

export interface Ran {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export const CCTL = join(import.meta.dir, '..', '..', 'cctl.ts');

/** A minimal environment: nothing of the machine's own configuration reaches the command. */
export function cctlEnvironment(change: Record<string, string> = {}): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return {
    PATH,
    HOME,
    CONTROL_CENTER_DATA: '/nonexistent/control-center',
    CONTROL_CENTER_TOKEN: TOKEN,
    ...change,
  };
}

/** Runs `cctl` as its own process, without a terminal. */
export async function runCctl(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<Ran> {
  const child = Bun.spawn([process.execPath, CCTL, ...args], {
    env: cctlEnvironment(env),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(cwd === undefined ? {} : { cwd }),
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
    child.exited,
  ]);
  return { exitCode, stdout, stderr };
}
