import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { runProcess } from './child.ts';
import { commandEnvironment, gitEnvironment } from './environment.ts';
import type { Host } from './host.ts';
import { createCapture, type OutputCapture } from './output.ts';
import { endTree, type ProcessTree } from './processes.ts';
import type { CommandResult, RunCommand, WorktreeRef } from './runner.ts';
import { SANDBOX_TOOLS, sandboxArguments } from './sandbox.ts';
import { type Found, findWorktree, postureOf } from './worktree.ts';
import { mendWorktree } from './worktree-mend.ts';

/** Linux takes 128 KiB as one argument. */
const MAX_COMMAND_BYTES = 100_000;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;
/** How long output may still come after the last process of a command is gone. */
const DRAIN_MS = 1_000;

/** No core files, and both outputs into one pipe, so that they come in the order they were written. */
const SHELL = ['/bin/sh', '-c', 'ulimit -c 0; exec "$@" 2>&1', 'command', '/bin/bash', '-c'];

export interface CommandHost extends Host {
  /** Folder with the current bun, for commands outside a sandbox. */
  toolDir(): Promise<string>;
  /** Every command that is running, to be ended when the runner closes. */
  live: Map<AbortController, Promise<unknown>>;
}

/** See `Runner.runCommand`. Fault `command_failed` when the sandbox could not be set up: then nothing has run. */
export async function runCommand(host: CommandHost, ref: WorktreeRef, i: RunCommand): Promise<CommandResult> {
  checkCommand(i);
  const { worktree } = host.places(ref);
  const idle = async () => mendWorktree(host, await findWorktree(host, ref));
  return host.gate.shared(worktree, async () => execute(host, await findWorktree(host, ref), i), idle);
}

function checkCommand(i: RunCommand): void {
  if (!Number.isInteger(i.timeoutMs) || i.timeoutMs < 1 || i.timeoutMs > MAX_TIMEOUT_MS) {
    throw new Fault(
      'invalid_request',
      `timeoutMs is a whole number from 1 to ${MAX_TIMEOUT_MS}, not ${i.timeoutMs}.`,
    );
  }
  if (i.command.includes('\0')) throw new Fault('invalid_request', 'A command cannot hold a NUL character.');
  if (Buffer.byteLength(i.command) > MAX_COMMAND_BYTES) {
    throw new Fault(
      'too_large',
      `A command has at most ${MAX_COMMAND_BYTES} bytes; write it to a file and run that.`,
    );
  }
}

/** Why a command was stopped before its end: the reason of the abort. */
const TIMEOUT = 'timeout';

async function execute(host: CommandHost, found: Found, i: RunCommand): Promise<CommandResult> {
  const stop = new AbortController();
  const relay = () => stop.abort('cancelled');
  const timer = setTimeout(() => stop.abort(TIMEOUT), i.timeoutMs);
  i.signal?.addEventListener('abort', relay);
  if (i.signal?.aborted) relay();
  const result = executeUntil(host, found, i, stop.signal);
  host.live.set(stop, result);
  try {
    return await result;
  } finally {
    host.live.delete(stop);
    clearTimeout(timer);
    i.signal?.removeEventListener('abort', relay);
  }
}

async function executeUntil(
  host: CommandHost,
  found: Found,
  i: RunCommand,
  stop: AbortSignal,
): Promise<CommandResult> {
  const startedMs = performance.now();
  const { argv, sandboxed, marker, env } = await wrap(host, found, i);
  const id = crypto.randomUUID();
  const capture = createCapture(join(found.places.output, `${id}.log`), i.onOutput);
  const pipe = await openPipe(join(found.places.staging, `${id}.pipe`), marker);
  const running = stop.aborted ? null : start(argv, found.places.worktree, env, pipe.write);
  closeSync(pipe.write);
  const tree = { root: running?.child.pid ?? null, marker, outputPath: sandboxed ? null : pipe.path };
  const ended = await follow({ running, tree, pipe: pipe.read, capture, stop }).catch((error) => {
    capture.finish();
    throw error;
  });
  const captured = capture.finish();
  if (sandboxed && !ended.killed && ended.status?.includes('"exit-code"') === false) {
    throw new Fault('command_failed', `The sandbox could not be set up: ${captured.output.slice(0, 1_000)}`);
  }
  return {
    exitCode: ended.killed ? null : ended.exitCode,
    signal: ended.killed ? 'SIGKILL' : ended.signal,
    timedOut: ended.killed && stop.reason === TIMEOUT,
    cancelled: ended.killed && stop.reason !== TIMEOUT,
    ...captured,
    durationMs: Math.round(performance.now() - startedMs),
    sandboxed,
  };
}

interface Wrapped {
  argv: string[];
  sandboxed: boolean;
  marker: string;
  /** Of the outermost process alone: bubblewrap gives the command its own. */
  env: Record<string, string>;
}

async function wrap(host: CommandHost, found: Found, i: RunCommand): Promise<Wrapped> {
  const { home, temp, staging } = found.places;
  for (const path of [home, temp, staging]) await mkdir(path, { recursive: true });
  const marker = await host.nextMarker('command');
  const sandbox = await host.sandbox();
  const command = [...SHELL, i.command];
  if (sandbox.backend === null) {
    const env = commandEnvironment({ home, temp, toolDir: await host.toolDir(), marker });
    return { argv: command, sandboxed: false, marker, env };
  }
  const env = commandEnvironment({ home, temp, toolDir: SANDBOX_TOOLS, marker });
  const posture = await postureOf(host, found, { readOnly: i.readOnly, env });
  const args = sandboxArguments(posture, sandbox.disableUserNamespaces);
  const argv = ['bwrap', '--json-status-fd', '3', ...args, '--', ...command];
  return { argv, sandboxed: true, marker, env: gitEnvironment(marker) };
}

/** A named pipe: what the system gives child processes here are sockets, through which `> /dev/stderr` fails. */
async function openPipe(
  path: string,
  marker: string,
): Promise<{ path: string; read: number; write: number }> {
  const made = await runProcess(['mkfifo', '-m', '600', path], { env: gitEnvironment(marker) });
  if (made.code !== 0)
    throw new Fault('internal', `No pipe could be made for the output: ${made.stderr.trim()}`);
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const write = openSync(path, constants.O_WRONLY);
  await rm(path);
  return { path, read, write };
}

interface Running {
  child: ChildProcess;
  exit: Promise<{ exitCode: number | null; signal: string | null }>;
  status: Promise<string>;
}

function start(argv: string[], cwd: string, env: Record<string, string>, output: number): Running {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', output, output, 'pipe'] });
  const exit = new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    child.on('error', (error) =>
      reject(new Fault('unavailable', `${program} cannot be started.`, {}, { cause: error })),
    );
    child.on('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  return { child, exit, status: readStatus(child) };
}

/**
 * What bubblewrap says of its own doing, on the fourth descriptor. The child's `close` does not wait for that one: what
 * was said last is read only once the descriptor itself is at its end.
 */
async function readStatus(child: ChildProcess): Promise<string> {
  let text = '';
  const stream = child.stdio[3];
  const over = Promise.withResolvers<void>();
  if (stream instanceof Object && 'on' in stream) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    stream.on('close', over.resolve);
  }
  await new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  await Promise.race([over.promise, Bun.sleep(DRAIN_MS)]);
  return text;
}

interface Ended {
  exitCode: number | null;
  signal: string | null;
  killed: boolean;
  status: string | null;
}

/** Until the command's first process ends or is stopped; then whatever it left is ended and the output read out. */
async function follow(i: {
  running: Running | null;
  tree: ProcessTree;
  pipe: number;
  capture: OutputCapture;
  stop: AbortSignal;
}): Promise<Ended> {
  const reader = Bun.file(i.pipe).stream().getReader();
  const stopped = new Promise<null>((resolve) => {
    if (i.stop.aborted) resolve(null);
    i.stop.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    if (i.running === null) return { exitCode: null, signal: null, killed: true, status: null };
    const broken = Promise.withResolvers<never>();
    const drained = drain(reader, i.capture).catch(broken.reject);
    const first = await Promise.race([i.running.exit, stopped, broken.promise]).finally(() =>
      endTree(i.tree),
    );
    const exit = await i.running.exit;
    await Promise.race([drained, broken.promise, Bun.sleep(DRAIN_MS)]);
    return { ...exit, killed: first === null, status: await i.running.status };
  } finally {
    await reader.cancel();
    // The stream does not own the descriptor it was given.
    closeSync(i.pipe);
  }
}

interface ChunkReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

async function drain(reader: ChunkReader, capture: OutputCapture): Promise<void> {
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read())
    capture.push(part.value);
}
