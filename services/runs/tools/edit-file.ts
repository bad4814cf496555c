import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces text in a file. oldText must be in the file exactly as given, and once unless replaceAll is true.',
  input: z.strictObject({
    path: Path,
    oldText: z.string().min(1).max(1_000_000),
    newText: z.string().max(1_000_000),
    replaceAll: z.boolean().optional(),
    repository: Repository,
  }),
  tier: 'write',
  effects: ['file_write'],
  keyed: false,
  needs: 'worktree',
  run: async ({ runner, worktree }, { path, oldText, newText, replaceAll, repository }) => {
    const { replacements } = await runner.editFile(worktree(repository), {
      ...{ path, oldText, newText },
      ...(replaceAll === undefined ? {} : { replaceAll }),
    });
    return `Changed ${path} in ${replacements} place${replacements === 1 ? '' : 's'}.`;
  },
});
