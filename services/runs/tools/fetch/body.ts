import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { Fault } from '../../../kit/fault.ts';

/** `isCut` when there was more. */
export interface Body {
  bytes: Buffer;
  isCut: boolean;
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/**
 * The body, at most `mostBytes` of it, on the way as well as decompressed.
 * @throws Fault unavailable when it breaks off or cannot be decompressed; the signal's reason
 */
export async function readBody(
  message: IncomingMessage,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Body> {
  const encoding = String(message.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  const decoder = DECODERS[encoding];
  if (decoder === undefined && !['identity', ''].includes(encoding)) {
    message.destroy();
    throw new Fault(
      'unavailable',
      `The body is encoded as ${encoding.slice(0, 50)}, which is not understood.`,
    );
  }
  const raw = await collect(message, mostBytes, signal);
  return decoder === undefined || raw.bytes.length === 0 ? raw : decompress(raw, decoder(), mostBytes);
}

async function collect(message: IncomingMessage, mostBytes: number, signal: AbortSignal): Promise<Body> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const chunks: Buffer[] = [];
  let seen = 0;
  message.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    seen += chunk.length;
    if (seen > mostBytes) resolve(true);
  });
  message.on('end', () => resolve(false));
  message.on('error', reject);
  message.on('close', () => reject(new Error('the connection was closed')));
  try {
    const isCut = await promise;
    return { bytes: Buffer.concat(chunks).subarray(0, mostBytes), isCut };
  } catch (error) {
    signal.throwIfAborted();
    throw new Fault('unavailable', 'The answer broke off before its end; try again.', {}, { cause: error });
  } finally {
    message.destroy();
  }
}

/** Stops as soon as there is more than is wanted, so that a small body never becomes a large one. */
async function decompress(raw: Body, decoder: Transform, mostBytes: number): Promise<Body> {
  const chunks: Buffer[] = [];
  let seen = 0;
  try {
    decoder.end(raw.bytes);
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      seen += chunk.length;
      if (seen > mostBytes) break;
    }
  } catch (error) {
    // Of a body that was cut the end is missing.
    if (!raw.isCut || seen === 0)
      throw new Fault('unavailable', 'The body could not be decompressed.', {}, { cause: error });
  } finally {
    decoder.destroy();
  }
  const bytes = Buffer.concat(chunks).subarray(0, mostBytes);
  return { bytes, isCut: raw.isCut || seen > mostBytes };
}
