import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists files of the repository, without those that git ignores. glob is matched against whole paths.',
  input: z.strictObject({
    path: Path.optional(),
    glob: z.string().min(1).max(500).optional(),
    limit: z.int().min(1).max(5_000).optional(),
    repository: Repository,
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'worktree',
  run: async ({ runner, worktree }, { path, glob, limit, repository }) => {
    const { files, truncated } = await runner.listFiles(worktree(repository), {
      ...(path === undefined ? {} : { path }),
      ...(glob === undefined ? {} : { glob }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (files.length === 0) return '(no files)';
    return files.join('\n') + (truncated ? '\n(there are more; narrow path or glob, or raise limit)' : '');
  },
});
