import { createHash } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { Fault } from '../kit/fault.ts';
import { MARKER } from './environment.ts';

interface ProcessFacts {
  pid: number;
  parent: number;
  group: number;
  session: number;
  startTicks: string;
  marker: string | null;
}

/** How one command's processes are known: by marker, process group or session, descent, or the output they hold. */
export interface ProcessTree {
  /** Leader of its process group; null when it could not be started. */
  root: number | null;
  marker: string;
  outputPath: string | null;
}

const POLL_MS = 10;

/**
 * Marks are `<data directory>.<server pid>.<server start>.<kind>.<number>`, so that a later server knows whose they
 * are. `brief` is a program of the runner's own that ends by itself.
 */
export function createMarks(dataDir: string): {
  ownedBy: string;
  next(kind: 'brief' | 'command'): Promise<string>;
} {
  const ownedBy = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const start = factsOf(process.pid).then((own) => own?.startTicks ?? '0');
  let count = 0;
  return {
    ownedBy,
    async next(kind) {
      count += 1;
      return `${ownedBy}.${process.pid}.${await start}.${kind}.${count}`;
    },
  };
}

/**
 * Ends what a server that is gone left running for the same data directory. Its commands are killed at once; its own
 * git calls get `graceMs` to finish, since a killed git leaves lock files in the repository.
 */
export async function endLeftovers(ownedBy: string, graceMs = 3_000): Promise<void> {
  const graceUntil = performance.now() + graceMs;
  await untilNone(async (all) => {
    const orphans: ProcessFacts[] = [];
    for (const one of all) if (await isOrphan(one, ownedBy)) orphans.push(one);
    const hurried = performance.now() > graceUntil;
    for (const one of orphans) if (hurried || !one.marker?.includes('.brief.')) kill(one.pid);
    return orphans.map((one) => one.pid);
  }, graceMs + 2_000);
}

async function isOrphan({ marker }: ProcessFacts, ownedBy: string): Promise<boolean> {
  const [owner, pid, start] = marker?.split('.') ?? [];
  if (owner !== ownedBy) return false;
  return (await factsOf(Number(pid)))?.startTicks !== start;
}

/** Kills every process of the tree, new ones that appear meanwhile too. Fault `internal` when one outlives 2 s. */
export async function endTree(tree: ProcessTree): Promise<void> {
  if (tree.root !== null) killGroup(tree.root);
  await untilNone(async (all) => {
    const members = await membersOf(tree, all);
    for (const pid of members) kill(pid);
    return members;
  }, 2_000);
}

/** SIGKILL to a process group; one that is gone already is no error. */
export function killGroup(leader: number): void {
  kill(-leader);
}

/** Looks again and again until `pass` finds no process; it kills what it finds. */
async function untilNone(pass: (all: ProcessFacts[]) => Promise<number[]>, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await pass(await listProcesses());
    if (found.length === 0) return;
    if (performance.now() > deadline) {
      throw new Fault('internal', `Processes ${found.join(', ')} could not be ended; end them by hand.`);
    }
    await Bun.sleep(POLL_MS);
  }
}

async function membersOf(tree: ProcessTree, all: ProcessFacts[]): Promise<number[]> {
  const members = new Set(tree.root === null ? [] : [tree.root]);
  for (const one of all) {
    const grouped = one.group === tree.root || one.session === tree.root;
    if (grouped || one.marker === tree.marker || (await holdsOutput(one.pid, tree.outputPath))) {
      members.add(one.pid);
    }
  }
  addDescendants(members, all);
  return all.map((one) => one.pid).filter((pid) => members.has(pid) && pid !== process.pid);
}

function addDescendants(members: Set<number>, all: ProcessFacts[]): void {
  for (let grew = true; grew; ) {
    grew = false;
    for (const one of all) {
      if (members.has(one.pid) || !members.has(one.parent)) continue;
      members.add(one.pid);
      grew = true;
    }
  }
}

async function holdsOutput(pid: number, outputPath: string | null): Promise<boolean> {
  if (outputPath === null || pid === process.pid) return false;
  const links = await Promise.all([1, 2].map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return links.some((link) => link === outputPath || link === `${outputPath} (deleted)`);
}

/** Empty on systems without /proc: there a tree is its process group alone. */
async function listProcesses(): Promise<ProcessFacts[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name)).map(Number);
  const facts = await Promise.all(pids.map(factsOf));
  return facts.filter((one) => one !== null);
}

/** Null for a process that has ended, a zombie among them: it runs nothing and waits only for its parent. */
async function factsOf(pid: number): Promise<ProcessFacts | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const marked = environment.split('\0').find((entry) => entry.startsWith(`${MARKER}=`));
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTicks: fields[19] ?? '',
    marker: marked?.slice(MARKER.length + 1) ?? null,
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
