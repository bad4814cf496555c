import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { trailers } from './commit.ts';
import type { Host } from './host.ts';
import { checkSlug, workspacePlace } from './layout.ts';
import { mergeBranches } from './merge.ts';
import { readRecord, writeRecord } from './record.ts';
import { checkBranch, commitAt, locateRepository, resolveCommit } from './repository.ts';
import type { IntegrateBranches, IntegratedBranches } from './runner.ts';

/** Written when all merges are made and before the branch moves: the same key ends in the same commit. */
interface IntegrationRecord extends IntegratedBranches {
  commonDir: string;
  previous: string | null;
}

/**
 * See `Runner.integrate`. What the branch already holds stays: the base and the branches not yet in it are merged on
 * top. Fault `conflict` when the branch is checked out somewhere.
 */
export async function integrateBranches(host: Host, i: IntegrateBranches): Promise<IntegratedBranches> {
  await checkBranch(host.git, i.branch);
  const { commonDir } = await locateRepository(host.git, i.source.path);
  const name = createHash('sha256').update(i.key).digest('hex').slice(0, 32);
  const folder = join(workspacePlace(host.dataDir, i.workspaceId), 'integrations');
  const path = join(folder, checkSlug('repository name', i.source.name), `${name}.json`);
  return host.perRepository(commonDir, async () => {
    const earlier = await readRecord<IntegrationRecord>(path);
    if (earlier !== null) checkSame(earlier, commonDir, i);
    const valid = earlier !== null && (await stillHolds(host, earlier));
    const record = valid ? earlier : await merge(host, commonDir, i);
    if (!valid) await writeRecord(path, record);
    await moveBranch(host, record);
    const { branch, head, merged, conflicts } = record;
    return { branch, head, merged, conflicts };
  });
}

function checkSame(earlier: IntegrationRecord, commonDir: string, i: IntegrateBranches): void {
  if (earlier.commonDir === commonDir && earlier.branch === i.branch) return;
  throw new Fault('conflict', `The key ${i.key} was used for ${earlier.branch} already; give another.`);
}

/** Not when the branch went elsewhere before a crash let it take these merges. */
async function stillHolds(
  host: Host,
  { commonDir, branch, head, previous }: IntegrationRecord,
): Promise<boolean> {
  if ((await commitAt(host.git, commonDir, head)) === null) return false;
  const tip = await commitAt(host.git, commonDir, `refs/heads/${branch}`);
  if (tip === previous) return true;
  const args = [`--git-dir=${commonDir}`, 'merge-base', '--is-ancestor', head, tip ?? head];
  return tip !== null && (await host.git.attempt(args)).code === 0;
}

async function merge(host: Host, commonDir: string, i: IntegrateBranches): Promise<IntegrationRecord> {
  const previous = await commitAt(host.git, commonDir, `refs/heads/${i.branch}`);
  const base = await resolveCommit(host.git, commonDir, i.base);
  const branches = previous === null ? i.merge : [i.base, ...i.merge];
  const request = {
    commonDir,
    start: previous ?? base,
    branches,
    author: i.author,
    trailer: trailers(i.key, []),
  };
  const { head, merged, conflicts } = await mergeBranches(host.git, request);
  const asked = merged.filter((branch) => i.merge.includes(branch));
  return { commonDir, previous, branch: i.branch, head, merged: asked, conflicts };
}

/** Does nothing when the branch has the commit already, or has gone on from it. */
async function moveBranch(host: Host, record: IntegrationRecord): Promise<void> {
  const { commonDir, previous, branch, head } = record;
  const ref = `refs/heads/${branch}`;
  const inside = `--git-dir=${commonDir}`;
  const tip = await commitAt(host.git, commonDir, ref);
  if (tip === head || tip !== previous) return;
  const listed = await host.git.text([inside, 'worktree', 'list', '--porcelain', '-z']);
  if (listed.split('\0').includes(`branch ${ref}`)) {
    throw new Fault(
      'conflict',
      `${branch} is checked out in a worktree and cannot be moved under it; close that first.`,
    );
  }
  await rm(join(commonDir, `${ref}.lock`), { force: true });
  host.point('runner.integrate:before');
  const expected = tip ?? '0'.repeat(head.length);
  await host.git.text([inside, 'update-ref', '-m', 'integrate', ref, head, expected]);
  host.point('runner.integrate:after');
}
