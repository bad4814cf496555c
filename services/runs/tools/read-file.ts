import * as z from 'zod';
import { mediaTypeOf } from '../../kit/media-type.ts';
import type { FileText, Runner, WorktreeRef } from '../../runner/runner.ts';
import { describeMedia, mediaLimit, sizeFault } from './media-facts.ts';
import { bounded, defineTool, failed, Path, Repository, type ToolReply } from './tool.ts';

/** Of UTF-16 units; most files are shorter, and no part of what is shown is cut again. */
const SHOWN_CHARACTERS = 28_000;
const HEAD_BYTES = 16;

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a file of the repository. A text comes exactly as it stands, without line numbers, so that what you see can be given to edit_file; of a long one the first part, and startLine and lines read another (lines and columns count from 1). Images (PNG, JPEG, GIF, WebP) and PDFs are shown to you.',
  input: z.strictObject({
    path: Path,
    startLine: z.int().min(1).optional(),
    lines: z.int().min(1).max(5_000).optional(),
    startColumn: z.int().min(1).optional().describe('Where to begin in a very long line'),
    repository: Repository,
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'worktree',
  run: async ({ runner, worktree, seen }, { path, startLine, lines, startColumn, repository }) => {
    const ref = worktree(repository);
    const shown = await mediaReply(runner, ref, path);
    if (shown !== null) return shown;
    const file = await runner.readFile(ref, {
      ...{ path, characters: SHOWN_CHARACTERS },
      ...(startLine === undefined ? {} : { startLine }),
      ...(lines === undefined ? {} : { lines }),
      ...(startColumn === undefined ? {} : { startColumn }),
    });
    await seen.note(ref.repository, path, file.version);
    if (!file.truncated) return bounded(file.text === '' ? '(the file is empty)' : file.text);
    return bounded(`${file.text}${file.text.endsWith('\n') ? '' : '\n'}${extent(path, file)}`);
  },
});

function extent(path: string, file: FileText): string {
  const { startLine, endLine, nextColumn, totalLines, bytes } = file;
  const lines = `(lines ${startLine}–${endLine} of ${totalLines} of ${path}, ${bytes} bytes in all`;
  if (nextColumn !== null)
    return `${lines}; line ${endLine} goes on: read on with startLine ${endLine}, startColumn ${nextColumn})`;
  return endLine < totalLines ? `${lines}; read on with startLine ${endLine + 1})` : `${lines})`;
}

/** Null for what is no image and no PDF. */
async function mediaReply(runner: Runner, ref: WorktreeRef, path: string): Promise<ToolReply | null> {
  const head = await runner.readBytes(ref, { path, offset: 0, bytes: HEAD_BYTES });
  const mediaType = mediaTypeOf(Buffer.from(head.data, 'base64'));
  if (mediaType === null) return null;
  const tooLarge = sizeFault(path, mediaType, head.totalBytes);
  if (tooLarge !== null) return failed(tooLarge);
  const { data } = await runner.readBytes(ref, { path, offset: 0, bytes: mediaLimit(mediaType) });
  const media = { mediaType, bytes: Buffer.from(data, 'base64') };
  const described = describeMedia(path, media);
  if ('fault' in described) return failed(described.fault);
  return { kind: 'result', content: `${described.text} follows.`, isError: false, media: [media] };
}
