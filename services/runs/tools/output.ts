import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { putFile } from './run-folder.ts';

/** What a model is given of one tool's output at most. */
export const OUTPUT_BYTES = 30_000;
/** Of what is kept, this share is the beginning: the end of an output most often says how it went. */
const HEAD_SHARE = 0.6;

const encoder = new TextEncoder();

/** What is shorter hides nothing: it stands in ordinary words, and masking it there would spell it out. */
export const LEAST_SECRET_CHARS = 8;

/** The tokens of people and of runs; of these nothing but their digests is known here. */
const TOKENS = /\bccr?_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/g;

/** Replaces every known secret and whatever is written as our tokens are, wherever it stands. */
export function redact(text: string, secrets: readonly string[]): string {
  return (
    secrets
      .filter((secret) => secret.length >= LEAST_SECRET_CHARS)
      // One that begins with another is not to leave its rest.
      .toSorted((a, b) => b.length - a.length)
      .reduce((masked, secret) => masked.replaceAll(secret, '[redacted]'), text)
      .replaceAll(TOKENS, '[redacted]')
  );
}

/** Where the whole of a long output is kept in its run's folder. */
export function wholeOutputPath(runFolder: string, callId: string): string {
  const name = callId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 120);
  // Ids that only look alike have files of their own.
  const suffix = name === callId ? '' : `-${createHash('sha256').update(callId).digest('hex').slice(0, 16)}`;
  return join(runFolder, `${name}${suffix}.txt`);
}

/** How the rest of an output that was cut can be read. */
export function restOf(callId: string): string {
  return `read_output with callId ${JSON.stringify(callId)} gives any part of it`;
}

/**
 * Cuts the middle out of an output of more than 30 kB (UTF-8), says so, and keeps the whole at `path`.
 * @throws what the file system throws when the whole cannot be kept
 */
export async function boundOutput(text: string, path: string, callId: string): Promise<string> {
  const bytes = encoder.encode(text);
  if (bytes.length <= OUTPUT_BYTES) return text;
  await putFile(path, bytes);
  const head = decodeWhole(bytes.subarray(0, OUTPUT_BYTES * HEAD_SHARE));
  const tail = decodeWhole(bytes.subarray(bytes.length - OUTPUT_BYTES * (1 - HEAD_SHARE)));
  const note = `cut: ${bytes.length} bytes in all, ${OUTPUT_BYTES} shown; ${restOf(callId)}`;
  return `${head}\n[… ${note} …]\n${tail}`;
}

/** As many whole lines from the first on as fit into what a model is given. */
export function fittingLines(lines: readonly string[], mostBytes = OUTPUT_BYTES - 1_000): string[] {
  let bytes = 0;
  const past = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > mostBytes;
  });
  return past < 0 ? [...lines] : lines.slice(0, past);
}

/** Characters that a cut went through are left out. */
function decodeWhole(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll(/^\uFFFD+|\uFFFD+$/g, '');
}
