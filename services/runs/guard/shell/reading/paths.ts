import { posix } from 'node:path';
import { certainStart, type Word } from '../words/word.ts';

/** Folders in one of which a command runs; null when it may be anywhere. None: it does not run. */
export type Places = readonly string[] | null;

/** Where a line starts if nothing is known of the worktree. No real path has it as its beginning. */
const NOWHERE = '/\u0001worktree';
const MAX_PLACES = 4;

/** The folders that count as inside, the first of which is where the line starts. */
export type Roots = readonly [string, ...string[]];

export function rootsOf(worktree: readonly string[]): Roots {
  const [first, ...rest] = worktree.map((path) => posix.resolve('/', path));
  return [first ?? NOWHERE, ...rest];
}

export type Target = 'inside' | 'outside' | 'nothing' | 'network' | 'repository';

const NO_FILE = /^\/dev\/(null|stdout|stderr|stdin|tty|full|zero|fd\/\d+)$/;
const NETWORK = /^\/dev\/(tcp|udp)\//;

/** What a path names: `nothing` is no file, `repository` is what git keeps in the worktree. Symbolic links are not seen. */
export function targetOf(word: Word, places: Places, roots: Roots): Target {
  if (NETWORK.test(certainStart(word))) return 'network';
  if (word.kind === 'runtime') return 'outside';
  if (word.kind === 'literal' && NO_FILE.test(word.text)) return 'nothing';
  const paths = resolved(word.text, places);
  if (paths === null || !paths.every((path) => isWithin(path, roots))) return 'outside';
  return paths.some((path) => /\/\.git(\/|$)/i.test(path)) ? 'repository' : 'inside';
}

/** Where `cd` leads from `places`. */
export function moved(word: Word, places: Places): Places {
  if (word.kind !== 'literal' || word.text === '-' || word.text === '') return null;
  const paths = resolved(word.text, places);
  return paths && union(paths, []);
}

export function isInside(places: Places, roots: Roots): boolean {
  return places?.every((path) => isWithin(path, roots)) ?? false;
}

export function union(a: Places, b: Places): Places {
  if (a === null || b === null) return null;
  const all = [...new Set([...a, ...b])];
  return all.length > MAX_PLACES ? null : all;
}

function resolved(path: string, places: Places): string[] | null {
  // A pattern may stand for the folder above where it begins with a dot.
  if (path.startsWith('~') || /(^|\/)\.[^/]*[*?[]/.test(path)) return null;
  if (path.startsWith('/')) return [posix.normalize(path)];
  return places?.map((place) => posix.join(place, path)) ?? null;
}

function isWithin(path: string, roots: Roots): boolean {
  return roots.some((root) => path === root || path.startsWith(root === '/' ? root : `${root}/`));
}
