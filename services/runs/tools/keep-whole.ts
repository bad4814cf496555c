import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { redact } from './output.ts';
import type { WholeOutput } from './tool.ts';

/** A word longer than this may be cut in two before secrets are looked for in it. */
const MAX_WORD_CHARACTERS = 1_000_000;

/**
 * Keeps a long output at `path` without the secrets in it, a piece at a time, and discards where it was before.
 * @throws what the file system throws
 */
export async function keepWhole(whole: WholeOutput, path: string, secrets: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${crypto.randomUUID()}.part`;
  const file = await open(draft, 'wx', 0o600);
  try {
    for await (const text of wordsOf(whole)) await file.writeFile(redact(text, secrets));
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await whole.discard();
}

/** The text in pieces that end between words, so that no secret is in two of them. */
async function* wordsOf(whole: WholeOutput): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let offset = 0;
  for (;;) {
    const bytes = await whole.read(offset);
    if (bytes.length === 0) break;
    offset += bytes.length;
    rest += decoder.decode(bytes, { stream: true });
    const end = rest.length > MAX_WORD_CHARACTERS * 2 ? rest.length : rest.search(/\s\S*$/) + 1;
    yield rest.slice(0, end);
    rest = rest.slice(end);
  }
  yield rest + decoder.decode();
}
