import * as z from 'zod';
import { fittingLines } from './output.ts';
import { bounded, defineTool, Path, Repository } from './tool.ts';

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
    const { files, total } = await runner.listFiles(worktree(repository), {
      ...(path === undefined ? {} : { path }),
      ...(glob === undefined ? {} : { glob }),
      ...(limit === undefined ? {} : { limit }),
    });
    const shown = fittingLines(files);
    if (total === null) return bounded([...shown, OUT_OF_TIME].join('\n'));
    if (total === 0) return '(no files)';
    if (shown.length === total) return shown.join('\n');
    const note = `(${shown.length} of ${total} files, in the order of their paths; narrow path or glob${files.length < total && shown.length === files.length ? ', or raise limit' : ''})`;
    return bounded([...shown, note].join('\n'));
  },
});

const OUT_OF_TIME = '(the time ran out before all was seen: there may be more; narrow path)';
