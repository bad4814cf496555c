import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the repository. Give startLine and lines to read a part of a long file; line numbers count from 1.',
  input: z.strictObject({
    path: Path,
    startLine: z.int().min(1).optional(),
    lines: z.int().min(1).max(5_000).optional(),
    repository: Repository,
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'worktree',
  run: async ({ runner, worktree }, { path, startLine, lines, repository }) => {
    const file = await runner.readFile(worktree(repository), {
      path,
      ...(startLine === undefined ? {} : { startLine }),
      ...(lines === undefined ? {} : { lines }),
    });
    if (!file.truncated) return file.text === '' ? '(the file is empty)' : file.text;
    return `${file.text}\n(part of ${path}: ${file.totalLines} lines, ${file.bytes} bytes in all; read on with startLine)`;
  },
});
