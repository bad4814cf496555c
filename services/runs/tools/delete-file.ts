import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes one file of the repository.',
  input: z.strictObject({ path: Path, repository: Repository }),
  tier: 'write',
  effects: ['file_delete'],
  keyed: false,
  needs: 'worktree',
  run: async ({ runner, worktree }, { path, repository }) => {
    await runner.deleteFile(worktree(repository), { path });
    return `Deleted ${path}.`;
  },
});
