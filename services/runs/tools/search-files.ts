import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const searchFiles = defineTool({
  name: 'search_files',
  description:
    'Searches the text of the repository with a regular expression and gives path, line and text of each match.',
  input: z.strictObject({
    pattern: z.string().min(1).max(2_000).describe('Regular expression, ripgrep syntax'),
    path: Path.optional(),
    glob: z.string().min(1).max(500).optional(),
    caseSensitive: z.boolean().optional().describe('true unless told'),
    limit: z.int().min(1).max(2_000).optional(),
    repository: Repository,
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'worktree',
  run: async ({ runner, worktree }, { pattern, path, glob, caseSensitive, limit, repository }) => {
    const { matches, truncated } = await runner.searchFiles(worktree(repository), {
      pattern,
      ...(path === undefined ? {} : { path }),
      ...(glob === undefined ? {} : { glob }),
      ...(caseSensitive === undefined ? {} : { caseSensitive }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (matches.length === 0)
      return truncated ? '(no match so far; the search ran out of time)' : '(no match)';
    const lines = matches.map((match) => `${match.path}:${match.line}: ${match.text}`);
    return lines.join('\n') + (truncated ? '\n(there are more; narrow the search or raise limit)' : '');
  },
});
