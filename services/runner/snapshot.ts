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
 * told. An ignored file counts only where the worktree's own index ($1) tracks it; with $2 `plain` none does, and with the
 * id of a snapshot those do that it has. While neither index has been written since the last time, that snapshot still holds.
 */
const TAKE = `
g add --all --ignore-errors . ; added=$?
[ "$added" -le 1 ] || exit "$added"
last="$GIT_DIR/last"; kind=$2
if [ -z "$kind" ] && [ "$added" = 0 ] && [ "$last" -nt "$GIT_DIR/index" ] && { [ ! -e "$1" ] || [ "$last" -nt "$1" ]; }; then
  read -r commit < "$last" && [ -f "$GIT_DIR/refs/checkpoints/$commit" ] && echo "0 $commit" && exit
fi
ignored="$GIT_DIR/ignored"; tracked="$GIT_DIR/tracked"
g ls-files -z --cached --ignored --exclude-standard > "$ignored" || exit
listed() { GIT_INDEX_FILE=$1 g ls-files -z --cached --ignored --exclude-standard; }
if [ "$kind" = plain ]; then : > "$tracked"; else listed "$1" > "$tracked" || cp "$ignored" "$tracked"; fi || exit
if ! cmp -s "$ignored" "$tracked"; then
  g update-index -z --force-remove --stdin < "$ignored" || exit
  g update-index -z --add --remove --stdin < "$tracked" || exit
fi
if [ -n "$kind" ] && [ "$kind" != plain ]; then
  target="$GIT_DIR/target"; rm -f "$target"
  GIT_INDEX_FILE=$target g read-tree "$kind" && listed "$target" > "$tracked" || exit
  g update-index -z --add --remove --stdin < "$tracked" || exit
fi
tree=$(g write-tree --missing-ok) && commit=$(g commit-tree -m checkpoint "$tree") || exit
[ -f "$GIT_DIR/refs/checkpoints/$commit" ] || g update-ref "refs/checkpoints/$commit" "$commit" || exit
[ -n "$kind" ] || [ "$added" != 0 ] || echo "$commit" > "$last"
echo "$added $commit"`;

/** The index must be that of the files as they are: what it does not name is left alone. */
const RESTORE = 'g read-tree --reset -u "$1"';

const COMPARE = 'g diff-tree -r -z --no-renames --raw "$1" "$2"';

const LIST = 'g ls-tree -r -z "$1"';

/** See `Runner.snapshot`. Fault `git_failed`, `disk_full`; `not_found` (no such snapshot to restore). */
export async function takeSnapshot(
  host: Host,
  ref: WorktreeRef,
  { restoring }: { restoring?: string } = {},
): Promise<Snapshot> {
  const { worktree, snapshots } = host.places(ref);
  const work = () =>
    host.perRepository(snapshots, async () => {
      const found = await findWorktree(host, ref);
      if (restoring !== undefined) await checkKept(found, ref, restoring);
      return take(host, found, restoring);
    });
  return restoring === undefined ? work() : host.gate.exclusive(worktree, work);
}

async function take(host: Host, found: Found, kind: 'plain' | '' | (string & {}) = ''): Promise<Snapshot> {
  await prepareStore(host, found);
  const index = join(found.record.adminDir, 'index');
  const done = await inStore(host, found, { script: TAKE, args: [index, kind], readsSource: false });
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
      const kept = new Set(left);
      const differing = await compare(host, found, i.before, i.commit);
      const changes = differing.filter(({ path, change }) => change !== 'removed' || !kept.has(path));
      return {
        changes: changes.slice(0, MOST_CHANGES).map(({ path, change }) => ({ path, change })),
        ...{ total: changes.length, left: left.slice(0, MOST_CHANGES) },
      };
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

/**
 * @returns what is in no snapshot and so was kept: files that git ignored before or no longer does, and repositories of their
 *   own in the worktree, as `path/`
 */
async function restore(host: Host, found: Found, commit: string): Promise<string[]> {
  const now = await take(host, found, 'plain');
  const wanted = await compare(host, found, now.commit, commit);
  await checkNested(host, found, now.commit, wanted);
  host.point('runner.restore:before');
  textOf(await inStore(host, found, { script: RESTORE, args: [commit], readsSource: true }), ['read-tree']);
  host.point('runner.restore:after');
  const came = await take(host, found, commit);
  const rest = await compare(host, found, commit, came.commit);
  const removed = new Set(wanted.filter(({ change }) => change === 'removed').map(({ path }) => path));
  const wrong = rest.filter(({ path, change }) => change !== 'added' || removed.has(path));
  if (wrong.length === 0)
    return [...rest.map(({ path }) => path), ...(await nestedIn(host, found, came.commit))];
  const names = wrong.slice(0, 10).map(({ path }) => path);
  throw new Fault(
    'git_failed',
    `${wrong.length} file(s) could not be put back, ${names.join(', ')} among them; check the permissions of their folders and undo again.`,
    { files: names },
  );
}

/** No snapshot holds what is in a repository of its own, so nothing is put in its place. @throws Fault cannot_undo */
async function checkNested(
  host: Host,
  found: Found,
  commit: string,
  wanted: readonly FileChange[],
): Promise<void> {
  const nested = await nestedIn(host, found, commit);
  const inTheWay = nested.filter((folder) =>
    wanted.some(({ path, change }) => change !== 'removed' && `${path}/`.startsWith(folder)),
  );
  if (inTheWay.length === 0) return;
  throw new Fault(
    'cannot_undo',
    `Files are to be put back where there is a repository of its own now, which no snapshot holds: ${inTheWay.slice(0, 10).join(', ')}. Take over the run, move it out of the worktree and undo again; nothing was changed.`,
  );
}

const NESTED = '160000';

/** Repositories in the worktree that are not the worktree's, as `path/`. */
async function nestedIn(host: Host, { places, ...found }: Found, commit: string): Promise<string[]> {
  const done = await inStore(
    host,
    { places, ...found },
    { script: LIST, args: [commit], readsSource: false },
  );
  const entries = textOf(done, ['ls-tree']).split('\0');
  const paths = entries
    .filter((entry) => entry.startsWith(NESTED))
    .map((entry) => entry.split('\t')[1] ?? '');
  const there = await Promise.all(paths.map((path) => exists(join(places.worktree, path, '.git'))));
  return paths.filter((_, at) => there[at]).map((path) => `${path}/`);
}

const CHANGES: Record<string, FileChange['change']> = { A: 'added', D: 'removed' };

/** Of files; what differs in repositories of their own is none of it. */
async function compare(host: Host, found: Found, from: string, to: string): Promise<FileChange[]> {
  if (from === to) return [];
  const done = await inStore(host, found, { script: COMPARE, args: [from, to], readsSource: false });
  const parts = textOf(done, ['diff-tree']).split('\0').filter(Boolean);
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [before, after, , , status = ''] = (parts[at] ?? '').slice(1).split(' ');
    const path = parts[at + 1] ?? '';
    if (before === NESTED || after === NESTED) changes.push(...besideNested(path, before, after));
    else changes.push({ path, change: CHANGES[status] ?? 'changed' });
  }
  return changes;
}

/** A file that is where a repository was, or the other way round. */
function besideNested(path: string, before = '', after = ''): FileChange[] {
  const isFile = (mode: string) => mode !== NESTED && !/^0+$/.test(mode);
  if (isFile(after)) return [{ path, change: 'added' }];
  return isFile(before) ? [{ path, change: 'removed' }] : [];
}
