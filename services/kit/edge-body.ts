import { Fault } from './fault.ts';

/** Room for the longest text there is (1,000,000 characters) with every character escaped, and something around it. */
const MAX_BODY_BYTES = 8 << 20;

/**
 * The request with a body that is known to be of a size that can be held. One that says its length is judged by that; one
 * that does not is read as far as the limit.
 * @throws Fault invalid_request for a body that is not declared as JSON, too_large
 */
export async function bounded(request: Request, maxBytes: number = MAX_BODY_BYTES): Promise<Request> {
  if (request.body === null) return new Request(request);
  const declared = request.headers.get('content-length');
  if (declared === '0') return new Request(request);
  checkType(request.headers.get('content-type') ?? '');
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);
  if (declared !== null) return new Request(request);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const { method, headers, signal, url } = request;
  return new Request(url, { method, headers, signal, body: Buffer.concat(chunks) });
}

function checkType(type: string): void {
  if (/^application\/json\s*(;|$)/i.test(type)) return;
  const given = type === '' ? 'nothing' : JSON.stringify(type.slice(0, 100));
  throw new Fault(
    'invalid_request',
    `The body of a request has to be JSON: send it with Content-Type application/json instead of ${given}.`,
  );
}

function tooLarge(maxBytes: number): Fault {
  const limit = maxBytes >= 1 << 20 ? `${maxBytes >> 20} MiB` : `${maxBytes} bytes`;
  return new Fault('too_large', `The body of a request may have ${limit} at most. Send less, or in parts.`, {
    maxBytes,
  });
}
