import { mkdirSync, realpathSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { type CommandHost, runCommand } from './command.ts';
import { commitWork } from './commit.ts';
import { gitEnvironment } from './environment.ts';
import { readBytes, readLines } from './file-read.ts';
import { listFiles, ripgrepPath, searchFiles } from './file-search.ts';
import { deleteText, editText, writeText } from './file-write.ts';
import { createGate } from './gate.ts';
import { createGit } from './git.ts';
import { gitDiff, gitLog, gitStatus } from './history.ts';
import { integrateBranches } from './integrate.ts';
import { worktreePlaces } from './layout.ts';
import { readOutput, removeOutput } from './output.ts';
import { createMarks, endLeftovers } from './processes.ts';
import { createQueue } from './queue.ts';
import { inspectRepository } from './repository.ts';
import type { HostFacts, Runner } from './runner.ts';
import { none, probeSandbox } from './sandbox-probe.ts';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';
import { findWorktree } from './worktree.ts';
import { closeWorktree } from './worktree-close.ts';
import { openWorktree } from './worktree-open.ts';

export interface EmbeddedRunnerOptions {
  /** Absolute folder of the server's data; worktrees and command output lie under `workspaces/` in it. */
  dataDir: string;
  /** Called just before and after outside effects, such as `runner.commit:before`. */
  onPoint?(name: string): void;
  /** `none` runs commands without a sandbox even where there is one. */
  sandbox?: 'auto' | 'none';
  /** More folders of the host that sandboxed commands may read, such as a toolchain's. */
  readable?: string[];
  /** Folders and files of the host that they must not see, such as where the server is installed. */
  hidden?: string[];
}

export interface EmbeddedRunner extends Runner {
  /** Ends every command that is running, with all its processes. */
  close(): Promise<void>;
}

/** A runner in the server's own process. Leftovers of a dead server on the same data are ended before anything runs. */
export function createEmbeddedRunner(o: EmbeddedRunnerOptions): EmbeddedRunner {
  mkdirSync(o.dataDir, { recursive: true });
  const host = createHost({ ...o, dataDir: realpathSync(resolve(o.dataDir)) });
  const { ready, ...shared } = host;
  // Whoever waits for it is told; this is only so that nobody waiting is no crash.
  ready.catch(() => undefined);
  const places = shared.places;
  let closed = false;
  return {
    probe: once(() => hostFacts(shared)),
    inspectRepository: (path) => inspectRepository(shared.git, path),
    openWorktree: (i) => ready.then(() => openWorktree(shared, i)),
    readFile: async (w, i) => readLines((await findWorktree(shared, w)).places.worktree, i),
    listFiles: async (w, i) =>
      listFiles((await findWorktree(shared, w)).places.worktree, await shared.nextMarker('brief'), i),
    searchFiles: async (w, i) =>
      searchFiles((await findWorktree(shared, w)).places.worktree, await shared.nextMarker('brief'), i),
    readBytes: async (w, i) => readBytes((await findWorktree(shared, w)).places.worktree, i),
    writeFile: (w, i) =>
      shared.perRepository(`edit ${places(w).worktree}`, async () =>
        writeText((await findWorktree(shared, w)).places, i, shared.point),
      ),
    editFile: (w, i) =>
      shared.perRepository(`edit ${places(w).worktree}`, async () =>
        editText((await findWorktree(shared, w)).places, i, shared.point),
      ),
    deleteFile: async (w, i) => deleteText((await findWorktree(shared, w)).places, i.path),
    runCommand: async (w, i) => {
      await ready;
      if (closed)
        throw new Fault('unavailable', 'The runner is closing; run the command again when it is back.');
      return runCommand(shared, w, i);
    },
    readOutput: async (w, i) => readOutput(places(w), i),
    removeOutput: async (w, { path }) => removeOutput(places(w), path),
    gitLog: (w, i) => gitLog(shared, w, i),
    gitDiff: (w, i) => gitDiff(shared, w, i),
    gitStatus: (w) => gitStatus(shared, w),
    commit: (w, i) => ready.then(() => commitWork(shared, w, i)),
    snapshot: (w, i) => ready.then(() => takeSnapshot(shared, w, i)),
    restoreSnapshot: (w, i) => ready.then(() => restoreSnapshot(shared, w, i)),
    integrate: (i) => ready.then(() => integrateBranches(shared, i)),
    closeWorktree: (w, i) => ready.then(() => closeWorktree(shared, w, i)),
    async close() {
      closed = true;
      for (const stop of shared.live.keys()) stop.abort('closed');
      await Promise.allSettled(shared.live.values());
    },
  };
}

function createHost(o: EmbeddedRunnerOptions): CommandHost & { ready: Promise<void> } {
  const marks = createMarks(o.dataDir);
  return {
    dataDir: o.dataDir,
    git: createGit(() => marks.next('brief')),
    gate: createGate(),
    settled: new Set(),
    perRepository: createQueue(),
    point: o.onPoint ?? (() => undefined),
    places: (ref) => worktreePlaces(o.dataDir, ref),
    nextMarker: marks.next,
    readable: o.readable ?? [],
    hidden: o.hidden ?? [],
    live: new Map(),
    toolDir: once(() => makeToolDir(o.dataDir)),
    sandbox: once(async () => {
      if (o.sandbox === 'none') return { ...none('it is switched off'), disableUserNamespaces: false };
      return probeSandbox(gitEnvironment(await marks.next('brief')));
    }),
    ready: endLeftovers(marks.ownedBy),
  };
}

/** Makes it once; a failure, such as of a full disk, is not kept, so that the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function hostFacts(host: CommandHost): Promise<HostFacts> {
  const version = await host.git.text(['--version']).catch(() => null);
  const { backend, reason, network } = await host.sandbox();
  return {
    platform: `${process.platform}-${process.arch}`,
    git: version?.replace(/^git version /, '') ?? null,
    sandbox: { backend, reason, network },
    ripgrep: ripgrepPath() !== null,
  };
}

/** Holds the running bun by name, so that `bun test` works in commands wherever bun was installed. */
async function makeToolDir(dataDir: string): Promise<string> {
  const dir = join(dataDir, 'bin', `${process.pid}`);
  await mkdir(dir, { recursive: true });
  await symlink(realpathSync(process.execPath), join(dir, 'bun')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return dir;
}
