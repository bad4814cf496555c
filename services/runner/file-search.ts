import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { Fault } from '../kit/fault.ts';
import { type FinishedProcess, runProcess } from './child.ts';
import { checkCount, cleanPath, createFindings } from './file-findings.ts';
import { existingPlace } from './inside.ts';
import type { FileList, ListFiles, SearchFiles, SearchResult } from './runner.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 256 * 1024 * 1024;
const LIST_LIMIT = 1_000;
/** Longer files are passed over. */
const MAX_SEARCHED = '8M';

/** Only the repository's own .gitignore counts, not the user's settings nor those of folders above the worktree. */
const RULES = [
  '--no-config',
  '--hidden',
  '--no-ignore-global',
  '--no-ignore-dot',
  '--no-messages',
  '--glob',
  '!**/.git',
];

/** Path of the ripgrep program, or null when this platform's package is not installed. */
export function ripgrepPath(): string | null {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const program = `@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`;
  // The platform's package is a dependency of @vscode/ripgrep and is found from there.
  const near = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'));
  try {
    return near.resolve(program);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Paths sorted, relative to the worktree; what is past the limit is counted. */
export async function listFiles(worktree: string, marker: string, i: ListFiles): Promise<FileList> {
  const limit = checkCount('limit', i.limit ?? LIST_LIMIT);
  const place = await existingPlace(worktree, i.path ?? '');
  const matches = globFilter(i.glob);
  const files: string[] = [];
  let total = 0;
  const where = `./${relative(place.root, place.real)}`;
  const args = [...RULES, '--files', '--null', '--sort', 'path', '--', where];
  const done = await ripgrep(args, place.root, marker, '\0', (shown) => {
    const path = cleanPath(shown);
    if (!matches(path)) return true;
    total += 1;
    if (total <= limit) files.push(path);
    return true;
  });
  const isWhole = !done.timedOut && !done.overflow;
  return { files, truncated: total > limit || !isWhole, total: isWhole ? total : null };
}

export async function searchFiles(worktree: string, marker: string, i: SearchFiles): Promise<SearchResult> {
  const place = await existingPlace(worktree, i.path ?? '');
  const found = createFindings(i, globFilter(i.glob));
  const args = [...RULES, '--json', '--sort', 'path', '--max-filesize', MAX_SEARCHED, ...found.options];
  if (i.caseSensitive === false) args.push('--ignore-case');
  args.push('--regexp', i.pattern, '--', `./${relative(place.root, place.real)}`);
  const done = await ripgrep(args, place.root, marker, '\n', found.take);
  return found.result(done.timedOut ? 'time' : done.overflow ? 'bytes' : null);
}

async function ripgrep(
  args: string[],
  cwd: string,
  marker: string,
  separator: string,
  take: (piece: string) => boolean,
): Promise<FinishedProcess> {
  const program = ripgrepPath();
  if (program === null)
    throw new Fault('unavailable', 'ripgrep is not installed; install the dependencies again.');
  const decoder = new TextDecoder();
  let rest = '';
  let wanted = true;
  const onChunk = (chunk: Buffer) => {
    const pieces = (rest + decoder.decode(chunk, { stream: true })).split(separator);
    rest = pieces.pop() ?? '';
    wanted &&= pieces.every(take);
    return wanted;
  };
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', CONTROL_CENTER_PROCESS: marker };
  const done = await runProcess([program, ...args], {
    env,
    cwd,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    onChunk,
  });
  // Files that could not be read also make its code 2, but leave no message and a result that counts.
  if (wanted && done.code === 2 && done.stderr !== '') throw searchFault(done);
  return done;
}

function searchFault(done: FinishedProcess): Fault {
  const why = done.stderr.trim().slice(0, 1_000) || `ripgrep ended with ${done.code}`;
  return new Fault('invalid_request', `The search could not be made: ${why}`);
}

/** A glob without a slash matches at any depth; one that begins with "!" leaves out what it matches. */
function globFilter(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined || glob === '') return () => true;
  const except = glob.startsWith('!');
  const plain = (except ? glob.slice(1) : glob).replace(/^\.?\//, '');
  const matcher = new Bun.Glob(glob.includes('/') ? plain : `**/${plain}`);
  return (path) => matcher.match(path) !== except;
}
