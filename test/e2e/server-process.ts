import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ENTRY = join(import.meta.dir, '../../services/main.ts');

export interface ServerProcess {
  url: string;
  pid: number;
  /** What the process wrote to stderr so far. */
  stderr(): string;
  /** Resolves once it is gone: a process that is still dying may make its data directory anew. */
  kill(signal?: NodeJS.Signals): Promise<number>;
  exited: Promise<number>;
}

/** Starts a real server process and waits until it listens. `env` is all it gets beside PATH and HOME. */
export async function startServerProcess(env: Record<string, string>): Promise<ServerProcess> {
  const child = Bun.spawn([process.execPath, ENTRY], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/root',
      CONTROL_CENTER_PORT: '0',
      ...env,
    },
  });
  const stderr = collect(child.stderr);
  const line = await firstLine(child.stdout);
  if (line === null)
    throw new Error(`the server ended before it listened (status ${await child.exited}): ${stderr()}`);
  return {
    url: (JSON.parse(line) as { url: string }).url,
    pid: child.pid,
    stderr,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal);
      return child.exited;
    },
    exited: child.exited,
  };
}

/** The owner's token, as the first start left it for tools on the same machine. */
export function ownerToken(dataDir: string): string {
  return readFileSync(join(dataDir, 'owner-token'), 'utf8').trim();
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
  }
  return null;
}

function collect(stream: ReadableStream<Uint8Array>): () => string {
  const decoder = new TextDecoder();
  let text = '';
  void (async () => {
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  })();
  return () => text;
}
