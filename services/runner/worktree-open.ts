import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import type { Host } from './host.ts';
import type { WorktreePlaces } from './layout.ts';
import { checkAuthor, mergeBranches } from './merge.ts';
import { removeTree } from './overlay.ts';
import { readRecord, type WorktreeRecord, writeRecord } from './record.ts';
import { checkBranch, commitAt, locateRepository, resolveCommit } from './repository.ts';
import type { OpenedWorktree, OpenWorktree } from './runner.ts';
import { adminDirOf } from './worktree.ts';
import { finishClosing } from './worktree-close.ts';
import { mendWorktree } from './worktree-mend.ts';

const SYSTEM_AUTHOR = checkAuthor({ name: 'Control Center', email: 'control-center@localhost' });

/** What a command's git knows of its user; a command may change it for its conversation. */
const HOME_SETTINGS = `[user]
  name = ${SYSTEM_AUTHOR.name}
  email = ${SYSTEM_AUTHOR.email}
[gc]
  auto = 0
[safe]
  directory = *
[init]
  defaultBranch = main
`;

/** Opens, completes or repairs; see `Runner.openWorktree`. Fault `conflict` when it is open with another branch. */
export async function openWorktree(host: Host, i: OpenWorktree): Promise<OpenedWorktree> {
  const places = host.places(i);
  const whole = await openedBefore(host, places, i);
  if (whole) return whole;
  await checkBranch(host.git, i.branch);
  const { commonDir } = await locateRepository(host.git, i.source.path);
  return host.perRepository(commonDir, async () => {
    let record = await readRecord<WorktreeRecord>(places.record);
    if (record?.state === 'closing') {
      await finishClosing(host, places, record);
      record = null;
    }
    if (record === null) record = await plan(host, places, commonDir, i);
    checkSame(record, commonDir, i);
    if (record.state === 'making') record = await make(host, places, record);
    else record = await repair(host, places, record);
    host.settled.add(places.worktree);
    return openedOf(host, places, record);
  });
}

async function openedOf(host: Host, places: WorktreePlaces, record: WorktreeRecord): Promise<OpenedWorktree> {
  const ref = `refs/heads/${record.branch}`;
  const loose = (await readFile(join(record.commonDir, ref), 'utf8').catch(() => '')).trim();
  const tip = /^[0-9a-f]{40,64}$/.test(loose) ? loose : await commitAt(host.git, record.commonDir, ref);
  const { branch, base, merged, conflicts } = record;
  return { path: places.worktree, branch, base, head: tip ?? record.head, merged, conflicts };
}

/** The answer without asking git, for one that this process found whole and whose folders are still there. */
async function openedBefore(
  host: Host,
  places: WorktreePlaces,
  i: OpenWorktree,
): Promise<OpenedWorktree | null> {
  if (!host.settled.has(places.worktree)) return null;
  const record = await readRecord<WorktreeRecord>(places.record);
  if (record?.state !== 'open' || record.branch !== i.branch || record.source.path !== i.source.path)
    return null;
  return (await isWhole(places, record)) ? openedOf(host, places, record) : null;
}

async function isWhole(places: WorktreePlaces, record: WorktreeRecord): Promise<boolean> {
  return (await hasFolder(places)) && (await isAdministered(places, record));
}

async function hasFolder(places: WorktreePlaces): Promise<boolean> {
  return (await lstat(places.worktree).catch(() => null))?.isDirectory() ?? false;
}

async function isAdministered(places: WorktreePlaces, { adminDir }: WorktreeRecord): Promise<boolean> {
  const pointer = await readFile(join(adminDir, 'gitdir'), 'utf8').catch(() => '');
  return pointer.trim() === join(places.worktree, '.git');
}

function checkSame(record: WorktreeRecord, commonDir: string, i: OpenWorktree): void {
  if (record.branch === i.branch && record.commonDir === commonDir) return;
  throw new Fault(
    'conflict',
    `Conversation ${i.conversationId} already has a worktree of ${record.source.path} on ${record.branch}; close it before opening another as ${i.repository}.`,
  );
}

/** Decides base and head once and records them: completing after a crash starts from the same commits. */
async function plan(
  host: Host,
  places: WorktreePlaces,
  commonDir: string,
  i: OpenWorktree,
): Promise<WorktreeRecord> {
  const base = await resolveCommit(host.git, commonDir, i.base);
  if ((await commitAt(host.git, commonDir, `refs/heads/${i.branch}`)) !== null) {
    throw new Fault('conflict', `The repository already has a branch ${i.branch}; choose another name.`);
  }
  const request = { commonDir, start: base, branches: i.merge, author: SYSTEM_AUTHOR, trailer: '' };
  const result = await mergeBranches(host.git, request);
  const record: WorktreeRecord = {
    state: 'making',
    source: i.source,
    commonDir,
    adminDir: '',
    branch: i.branch,
    base,
    ...result,
  };
  await writeRecord(places.record, record);
  host.point('runner.worktree:before');
  return record;
}

async function make(host: Host, places: WorktreePlaces, record: WorktreeRecord): Promise<WorktreeRecord> {
  await unmake(host, places, record);
  await mkdir(dirname(places.worktree), { recursive: true });
  const inside = `--git-dir=${record.commonDir}`;
  const { branch, head } = record;
  await host.git.text([inside, 'worktree', 'add', '-q', '--no-track', '-b', branch, places.worktree, head]);
  host.point('runner.worktree:made');
  return settle(host, places, record);
}

/** Removes what an earlier attempt left; it was never handed out, so that nobody has worked in it. */
async function unmake(host: Host, places: WorktreePlaces, record: WorktreeRecord): Promise<void> {
  const adminDir = await adminDirOf(record.commonDir, places.worktree);
  await removeTree(places.worktree);
  await removeTree(places.overlay);
  if (adminDir !== null) await removeTree(adminDir);
  const ref = `refs/heads/${record.branch}`;
  await rm(join(record.commonDir, `${ref}.lock`), { force: true });
  const tip = await commitAt(host.git, record.commonDir, ref);
  if (tip !== null)
    await host.git.text([`--git-dir=${record.commonDir}`, 'update-ref', '-d', ref, record.head]);
}

async function settle(host: Host, places: WorktreePlaces, record: WorktreeRecord): Promise<WorktreeRecord> {
  const adminDir = await adminDirOf(record.commonDir, places.worktree);
  if (adminDir === null) throw new Fault('git_failed', `git made no worktree at ${places.worktree}.`);
  await mkdir(places.home, { recursive: true });
  // Never through a link that a command may have put there.
  const settings = join(places.home, '.gitconfig');
  await writeFile(settings, HOME_SETTINGS, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const open: WorktreeRecord = { ...record, state: 'open', adminDir };
  await writeRecord(places.record, open);
  host.point('runner.worktree:after');
  return open;
}

/** An open worktree whose folder or administrative folder was removed by hand is made whole; no file is lost. */
async function repair(host: Host, places: WorktreePlaces, record: WorktreeRecord): Promise<WorktreeRecord> {
  const { commonDir, adminDir, branch } = record;
  const folder = await hasFolder(places);
  const administered = await isAdministered(places, record);
  if (folder && administered) {
    // Commands that run end with the same mending; waiting for them here would hold up the whole repository.
    if (host.gate.isFree(places.worktree)) {
      await host.gate.exclusive(places.worktree, () => mendWorktree(host, { places, record }));
    }
    return record;
  }
  if ((await commitAt(host.git, commonDir, `refs/heads/${branch}`)) === null) {
    throw new Fault('not_found', `Branch ${branch} is gone; close this worktree and open it again.`);
  }
  if (administered) await removeTree(adminDir);
  if (folder) await administerAgain(host, places, record);
  else
    await host.git.text([`--git-dir=${commonDir}`, 'worktree', 'add', '-q', '-f', places.worktree, branch]);
  return settle(host, places, record);
}

/** Makes an empty worktree beside and gives its administrative folder to the files that are there. */
async function administerAgain(host: Host, places: WorktreePlaces, record: WorktreeRecord): Promise<void> {
  const spare = join(places.staging, `spare-${crypto.randomUUID()}`);
  await mkdir(places.staging, { recursive: true });
  const add = ['worktree', 'add', '-q', '-f', '--no-checkout', spare, record.branch];
  await host.git.text([`--git-dir=${record.commonDir}`, ...add]);
  const adminDir = await adminDirOf(record.commonDir, spare);
  if (adminDir === null) throw new Fault('git_failed', `git made no worktree at ${spare}.`);
  await rm(join(places.worktree, '.git'), { recursive: true, force: true });
  await rename(join(spare, '.git'), join(places.worktree, '.git'));
  await rm(spare, { recursive: true, force: true });
  await host.git.text([`--git-dir=${adminDir}`, 'read-tree', 'HEAD']);
  await writeFile(join(adminDir, 'gitdir'), `${join(places.worktree, '.git')}\n`);
}
