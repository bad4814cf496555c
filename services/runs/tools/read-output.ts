import { stat } from 'node:fs/promises';
import * as z from 'zod';
import { wholeOutputPath } from './output.ts';
import { extentOf, readPage } from './output-page.ts';
import { bounded, defineTool, failed } from './tool.ts';

export const readOutput = defineTool({
  name: 'read_output',
  description:
    'Reads on in an output that was cut: of a call of yours, or of a sub-agent of yours, by the callId that stands at the cut. Lines and columns count from 1.',
  input: z.strictObject({
    callId: z.string().min(1).max(200),
    startLine: z.int().min(1).optional().describe('1 unless told'),
    lines: z.int().min(1).max(5_000).optional().describe('500 unless told'),
    startColumn: z.int().min(1).optional().describe('Where to begin in a very long line'),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: null,
  run: async ({ runFolders }, { callId, startLine = 1, lines = 500, startColumn = 1 }) => {
    const path = await keptAt(await runFolders(), callId);
    if (path === null) {
      return failed(
        `No output of a call ${JSON.stringify(callId)} is kept. What was not cut is not kept: it was shown whole.`,
      );
    }
    const page = await readPage(path, { startLine, lines, startColumn });
    if (startLine > Math.max(page.totalLines, 1))
      return failed(`That output has ${page.totalLines} lines; line ${startLine} is past its end.`);
    return bounded(`${page.text}${page.text.endsWith('\n') ? '' : '\n'}${extentOf(page, startLine)}`);
  },
});

async function keptAt(folders: readonly string[], callId: string): Promise<string | null> {
  for (const folder of folders) {
    const path = wholeOutputPath(folder, callId);
    if ((await stat(path).catch(() => null))?.isFile()) return path;
  }
  return null;
}
