import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a whole text file, making it and its folders if they are missing. Use edit_file to change a part.',
  input: z.strictObject({ path: Path, content: z.string().max(2_000_000), repository: Repository }),
  tier: 'write',
  effects: ['file_write'],
  keyed: false,
  needs: 'worktree',
  run: async ({ runner, worktree }, { path, content, repository }) => {
    const { bytes, created } = await runner.writeFile(worktree(repository), { path, content });
    return `${created ? 'Made' : 'Replaced'} ${path} (${bytes} bytes).`;
  },
});
