import { lstat, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from './host.ts';
import { settleOverlay } from './overlay.ts';
import { type Found, worktreeGit } from './worktree.ts';

/**
 * Puts right what commands may have left of the worktree's git state: locks of a killed git, a pointer, HEAD or index
 * that is gone or is no plain file; then takes over what they committed. Only while nothing runs in the worktree.
 */
export async function mendWorktree(host: Host, found: Found): Promise<void> {
  const { places, record } = found;
  await removeStaleLocks(found);
  await restore(join(places.worktree, '.git'), /^gitdir: /, `gitdir: ${record.adminDir}\n`);
  const head = /^(ref: refs\/heads\/\S+|[0-9a-f]{40,64})\n$/;
  await restore(join(record.adminDir, 'HEAD'), head, `ref: refs/heads/${record.branch}\n`);
  await settleOverlay(host.git, places, record);
  const index = await lstat(join(record.adminDir, 'index')).catch(() => null);
  if (index?.isFile()) return;
  await rm(join(record.adminDir, 'index'), { recursive: true, force: true });
  await worktreeGit(host, found, ['read-tree', 'HEAD'], { readOnly: false });
}

/** A killed git leaves its lock files; none is in use while nothing runs in the worktree. */
async function removeStaleLocks({ record }: Found): Promise<void> {
  const names = await readdir(record.adminDir);
  const locks = names.filter((name) => name.endsWith('.lock')).map((name) => join(record.adminDir, name));
  locks.push(join(record.commonDir, 'refs', 'heads', `${record.branch}.lock`));
  for (const lock of locks) await rm(lock, { recursive: true, force: true });
}

async function restore(path: string, valid: RegExp, content: string): Promise<void> {
  const facts = await lstat(path).catch(() => null);
  if (facts?.isFile() && facts.size < 4_096 && valid.test(await readFile(path, 'utf8'))) return;
  await rm(path, { recursive: true, force: true });
  await writeFile(path, content, { flag: 'wx' });
}
