import { plainJson } from '../plain-text.ts';
import { readByteLines } from './byte-lines.ts';
import type { Explain } from './explanation.ts';

/** Writes a text and waits until it is taken; false when nobody reads any more. */
export type Write = (text: string) => Promise<boolean>;

/** One JSON line for each line of the stream, in its order; ends early when the reader of the answers is gone. */
export async function explainLines(
  body: ReadableStream<Uint8Array>,
  explain: Explain,
  write: Write,
): Promise<void> {
  for await (const lines of readByteLines(body)) {
    const answers: string[] = [];
    for (const line of lines) answers.push(`${plainJson(await explain(line))}\n`);
    if (!(await write(answers.join('')))) return;
  }
}
