import { join } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { textOf } from './git.ts';
import type { Host } from './host.ts';
import type { FileChange, RestoredFiles, Snapshot, WorktreeRef } from './runner.ts';
import { exists, inStore, prepareStore } from './snapshot-store.ts';
import { type Found, findWorktree } from './worktree.ts';

const MOST_CHANGES = 1_000;
const NOTE_CHARACTERS = 2_000;

/**
 * The index knows what each file was, so that only what changed is read. What `git add` cannot read is passed over and
 * told. An ignored file counts only where the worktree's own index ($1) tracks it. While neither index has been written since
 * the last time, that snapshot still holds.
 */
const TAKE = `
g add --all --ignore-errors . ; added=$?
[ "$added" -le 1 ] || exit "$added"
last="$GIT_DIR/last"
if [ "$added" = 0 ] && [ "$last" -nt "$GIT_DIR/index" ] && { [ ! -e "$1" ] || [ "$last" -nt "$1" ]; }; then
  read -r commit < "$last" && [ -f "$GIT_DIR/refs/checkpoints/$commit" ] && echo "0 $commit" && exit
fi
ignored="$GIT_DIR/ignored"; tracked="$GIT_DIR/tracked"
g ls-files -z --cached --ignored --exclude-standard > "$ignored" || exit
GIT_INDEX_FILE=$1 g ls-files -z --cached --ignored --exclude-standard > "$tracked" || cp "$ignored" "$tracked" || exit
if ! cmp -s "$ignored" "$tracked"; then
  g update-index -z --force-remove --stdin < "$ignored" || exit
  g update-index -z --add --remove --stdin < "$tracked" || exit
fi
tree=$(g write-tree --missing-ok) && commit=$(g commit-tree -m checkpoint "$tree") || exit
[ -f "$GIT_DIR/refs/checkpoints/$commit" ] || g update-ref "refs/checkpoints/$commit" "$commit" || exit
[ "$added" != 0 ] || echo "$commit" > "$last"
echo "$added $commit"`;

/** The index must be that of the files as they are: what it does not name is left alone. */
const RESTORE = 'g read-tree --reset -u "$1"';

const COMPARE = 'g diff-tree -r -z --no-renames --name-status "$1" "$2"';

/** See `Runner.snapshot`. Fault `git_failed`, `disk_full`. */
export async function takeSnapshot(host: Host, ref: WorktreeRef): Promise<Snapshot> {
  const { snapshots } = host.places(ref);
  return host.perRepository(snapshots, async () => take(host, await findWorktree(host, ref)));
}

async function take(host: Host, found: Found): Promise<Snapshot> {
  await prepareStore(host, found);
  const index = join(found.record.adminDir, 'index');
  const done = await inStore(host, found, { script: TAKE, args: [index], readsSource: false });
  const [added, commit = ''] = textOf(done, ['add']).split(' ');
  if (!/^[0-9a-f]{40,64}$/.test(commit))
    throw new Fault('git_failed', 'git made no snapshot and said nothing.');
  return { commit, note: added === '0' ? null : noteOf(done.stderr) };
}

function noteOf(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.startsWith('error: '));
  const said = lines.map((line) => line.slice('error: '.length)).join('; ');
  return `Some files could not be read and are not in it: ${said}`.slice(0, NOTE_CHARACTERS).toWellFormed();
}

/** See `Runner.restoreSnapshot`. Faults `not_found` (no such snapshot), `git_failed` (what could not be put back). */
export async function restoreSnapshot(
  host: Host,
  ref: WorktreeRef,
  i: { commit: string; before: string },
): Promise<RestoredFiles> {
  const { worktree, snapshots } = host.places(ref);
  return host.gate.exclusive(worktree, () =>
    host.perRepository(snapshots, async () => {
      const found = await findWorktree(host, ref);
      for (const commit of [i.commit, i.before]) await checkKept(found, ref, commit);
      const left = await restore(host, found, i.commit);
      const changes = await compare(host, found, i.before, i.commit);
      return { changes: changes.slice(0, MOST_CHANGES), total: changes.length, left };
    }),
  );
}

async function checkKept({ places }: Found, ref: WorktreeRef, commit: string): Promise<void> {
  const isId = /^[0-9a-f]{40,64}$/.test(commit);
  if (isId && (await exists(join(places.snapshots, 'refs', 'checkpoints', commit)))) return;
  throw new Fault(
    'not_found',
    `There is no snapshot ${JSON.stringify(commit.slice(0, 80))} of ${ref.repository} in conversation ${ref.conversationId}; those made before its worktree was closed are gone with it.`,
  );
}

/** @returns files that the restored rules no longer ignore; they were not in the worktree as git saw it, and are kept. */
async function restore(host: Host, found: Found, commit: string): Promise<string[]> {
  const now = await take(host, found);
  const wanted = await compare(host, found, now.commit, commit);
  host.point('runner.restore:before');
  textOf(await inStore(host, found, { script: RESTORE, args: [commit], readsSource: true }), ['read-tree']);
  host.point('runner.restore:after');
  const came = await take(host, found);
  const rest = await compare(host, found, commit, came.commit);
  const removed = new Set(wanted.filter(({ change }) => change === 'removed').map(({ path }) => path));
  const wrong = rest.filter(({ path, change }) => change !== 'added' || removed.has(path));
  if (wrong.length === 0) return rest.map(({ path }) => path).slice(0, MOST_CHANGES);
  const names = wrong.slice(0, 10).map(({ path }) => path);
  throw new Fault(
    'git_failed',
    `${wrong.length} file(s) could not be put back, ${names.join(', ')} among them; check the permissions of their folders and undo again.`,
    { files: names },
  );
}

const CHANGES: Record<string, FileChange['change']> = { A: 'added', D: 'removed' };

async function compare(host: Host, found: Found, from: string, to: string): Promise<FileChange[]> {
  if (from === to) return [];
  const done = await inStore(host, found, { script: COMPARE, args: [from, to], readsSource: false });
  const parts = textOf(done, ['diff-tree']).split('\0').filter(Boolean);
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2)
    changes.push({ path: parts[at + 1] ?? '', change: CHANGES[parts[at] ?? ''] ?? 'changed' });
  return changes;
}
