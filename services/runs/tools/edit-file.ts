import * as z from 'zod';
import { defineTool, Path, Repository } from './tool.ts';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces text in a file. oldText must be in the file exactly as given, white space included, and once unless replaceAll is true.',
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
  run: async ({ runner, worktree, seen }, { path, oldText, newText, replaceAll, repository }) => {
    const ref = worktree(repository);
    const version = await seen.versionOf(ref.repository, path);
    const edited = await runner.editFile(ref, {
      ...{ path, oldText, newText },
      ...(replaceAll === undefined ? {} : { replaceAll }),
      ...(version === null ? {} : { version }),
    });
    const { replacements, line, wasChanged } = edited;
    // What somebody else changed stays unknown to the run until it reads the file, whatever it edits meanwhile.
    if (!wasChanged) await seen.note(ref.repository, path, edited.version);
    const places = replacements === 1 ? `at line ${line}` : `in ${replacements} places`;
    return `Changed ${path} ${places}.${wasChanged ? CHANGED : ''}`;
  },
});

const CHANGED =
  ' The file had been changed since you last read or wrote it, by a command, another agent or a person; the edit fitted all the same. Read it again before you go on with it.';
