import * as z from 'zod';
import type { SearchedFile, SearchLine, SearchResult } from '../../runner/runner.ts';
import { fittingLines } from './output.ts';
import { bounded, defineTool, Path, Repository } from './tool.ts';

export const searchFiles = defineTool({
  name: 'search_files',
  description:
    'Searches the text of the repository with a regular expression: path, line and text of each match, or, with filesOnly, the files with their number of matching lines. Binary files and files over 8 MB are passed over.',
  input: z.strictObject({
    pattern: z.string().min(1).max(2_000).describe('Regular expression, ripgrep syntax'),
    path: Path.optional(),
    glob: z.string().min(1).max(500).optional(),
    caseSensitive: z.boolean().optional().describe('true unless told'),
    filesOnly: z.boolean().optional(),
    context: z.int().min(0).max(20).optional().describe('Lines around each match, 0 unless told'),
    perFile: z.int().min(1).max(1_000).optional().describe('Matches of one file, 50 unless told'),
    limit: z.int().min(1).max(2_000).optional().describe('Matches or files in all, 200 unless told'),
    repository: Repository,
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'worktree',
  run: async ({ runner, worktree }, { repository, ...wanted }) => {
    const asked = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const found = await runner.searchFiles(worktree(repository), { pattern: wanted.pattern, ...asked });
    const lines = wanted.filesOnly ? found.files.map(fileLine) : matchLines(found.lines);
    if (lines.length === 0) return `(no match${found.cut === null ? '' : ` so far; ${CUTS[found.cut]}`})`;
    const shown = fittingLines(lines);
    return bounded([...shown, summary(found, shown.length < lines.length)].join('\n'));
  },
});

const CUTS: Readonly<Record<Exclude<SearchResult['cut'], null>, string>> = {
  limit: 'the limit was reached, so there are more: narrow the search or raise limit',
  bytes: 'there is more than is shown at once: narrow the search, or look for filesOnly',
  time: 'the time ran out before all was searched: narrow path or glob',
};

function fileLine({ path, matches }: SearchedFile): string {
  return `${path}: ${matches}`;
}

/** As grep writes them: ":" behind the line of a match, "-" behind one around it, "--" where lines are left out. */
function matchLines(lines: readonly SearchLine[]): string[] {
  const hasContext = lines.some(({ isContext }) => isContext);
  return lines.flatMap(({ path, line, text, isContext }, at) => {
    const before = lines[at - 1];
    const isApart = before !== undefined && (before.path !== path || before.line !== line - 1);
    const mark = isContext ? '-' : ':';
    return [...(hasContext && isApart ? ['--'] : []), `${path}${mark}${line}${mark} ${text}`];
  });
}

function summary({ files, cut }: SearchResult, isCutHere: boolean): string {
  const matches = files.reduce((sum, file) => sum + file.matches, 0);
  const isPart = cut !== null || isCutHere || files.some(({ hasMore }) => hasMore);
  const counted = `${isPart ? 'at least ' : ''}${count(matches, 'matching line')} in ${count(files.length, 'file')}`;
  const more = files.filter(({ hasMore }) => hasMore).map(({ path }) => path);
  const notes = [
    ...(cut === null && isCutHere ? [CUTS.bytes] : []),
    ...(cut === null ? [] : [CUTS[cut]]),
    ...(more.length > 0 ? [`more in ${more.slice(0, 5).join(', ')}: raise perFile`] : []),
  ];
  return `(${[counted, ...notes].join('; ')})`;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
