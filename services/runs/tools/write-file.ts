import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Writes a whole text file, making it and its folders if they are missing. Use edit_file to change a part. A file that somebody changed since you read it is not overwritten.',
  input: z.strictObject({ path: Path, content: z.string().max(2_000_000), repository: Repository }),
  tier: 'write',
  effects: ['file_write'],
  keyed: false,
  needs: 'worktree',
  run: async ({ runner, worktree, seen }, { path, content, repository }) => {
    const ref = worktree(repository);
    const known = await seen.versionOf(ref.repository, path);
    const { bytes, created, version } = await runner.writeFile(ref, {
      ...{ path, content },
      ...(known === null ? {} : { version: known }),
    });
    await seen.note(ref.repository, path, version);
    return `${created ? 'Made' : 'Replaced'} ${path} (${bytes} bytes).`;
  },
});
