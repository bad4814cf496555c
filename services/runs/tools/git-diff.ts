import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const gitDiff = defineTool({
  name: 'git_diff',
  description:
    'Shows what this conversation changed: the working tree, new files included, against the commit the work started from, or against base.',
  input: z.strictObject({
    base: z.string().min(1).max(250).optional().describe('Commit or branch to compare with'),
    path: Path.optional(),
    repository: Repository,
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'worktree',
  run: async ({ runner, worktree }, { base, path, repository }) => {
    const found = await runner.gitDiff(worktree(repository), {
      ...(base === undefined ? {} : { base }),
      ...(path === undefined ? {} : { path }),
    });
    if (found.diff === '') return '(no changes)';
    return `${found.stat}\n\n${found.diff}${found.truncated ? '\n(cut; ask for one path at a time)' : ''}`;
  },
});
