import { spawn } from 'node:child_process';
import { Fault } from '../kit/fault.ts';
import { killGroup } from './processes.ts';

export interface ProcessOptions {
  env: Record<string, string>;
  cwd?: string;
  input?: string | Uint8Array;
  /** More standard output than this ends the process; what came is returned with `overflow`. */
  maxBytes?: number;
  timeoutMs?: number;
  /** Takes standard output as it comes, which is then not returned; false ends the process. */
  onChunk?(chunk: Buffer): boolean;
}

export interface FinishedProcess {
  code: number | null;
  stdout: Buffer;
  stderr: string;
  overflow: boolean;
  timedOut: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_BYTES = 64 * 1024;
const TIMEOUT_MS = 120_000;

/** Runs one short program of the runner's own to its end. Fault `unavailable` when it is not installed. */
export function runProcess(
  argv: readonly [string, ...string[]],
  o: ProcessOptions,
): Promise<FinishedProcess> {
  const [program, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: o.env, cwd: o.cwd ?? '/', detached: true, stdio: 'pipe' });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    const seen = { stdout: 0, stderr: 0, overflow: false, timedOut: false };
    const end = () => child.pid !== undefined && killGroup(child.pid);
    const timer = setTimeout(() => {
      seen.timedOut = true;
      end();
    }, o.timeoutMs ?? TIMEOUT_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      seen.stdout += chunk.length;
      seen.overflow ||= seen.stdout > (o.maxBytes ?? MAX_BYTES);
      if (!seen.overflow && o.onChunk === undefined) stdout.push(chunk);
      if (seen.overflow || o.onChunk?.(chunk) === false) end();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      seen.stderr += chunk.length;
      if (seen.stderr <= MAX_STDERR_BYTES) stderr.push(chunk);
    });
    // A program that ends before it has read its input closes the pipe; its exit code tells the story.
    child.stdin.on('error', () => undefined);
    child.stdin.end(o.input ?? '');
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(
        new Fault('unavailable', `${program} cannot be started: is it installed?`, {}, { cause: error }),
      );
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      const { overflow, timedOut } = seen;
      resolve({
        code,
        stdout: Buffer.concat(stdout),
        stderr: String(Buffer.concat(stderr)),
        overflow,
        timedOut,
      });
    });
  });
}
