const NEWLINE = 0x0a;

/**
 * The lines of a stream of bytes, without their newlines: each chunk gives those that it completes, so that an answer to a
 * line need not wait for the next. Bytes after the last newline are a line as well. A byte sequence that is no UTF-8 becomes
 * U+FFFD and takes no other character with it.
 */
export async function* readByteLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest: Uint8Array[] = [];
  for await (const chunk of body) {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      lines.push(decoder.decode(Buffer.concat([...rest, chunk.subarray(from, at)])));
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.slice(from));
    if (lines.length > 0) yield lines;
  }
  if (rest.length > 0) yield [decoder.decode(Buffer.concat(rest))];
}
