import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readSse, type SseMessage } from './read-sse.ts';

async function parse(chunks: Uint8Array[]): Promise<SseMessage[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return Array.fromAsync(readSse(body));
}

const bytes = (text: string) => new TextEncoder().encode(text);

test('comments are no messages, ids last, data of several lines is joined, a cut-off message is left out', async () => {
  const text = ': open\n\nid: 7\nevent: run.ended\ndata: {"a":\ndata: 1}\r\n\r\ndata:x\n\nid: 9\ndata: cut';
  expect(await parse([bytes(text)])).toEqual([
    { id: '7', event: 'run.ended', data: '{"a":\n1}' },
    { id: '7', event: 'message', data: 'x' },
  ]);
});

test('where the bytes are cut makes no difference', async () => {
  const whole = bytes('id: 1\nevent: é\ndata: ünï — 漢字 😀\n\n: heartbeat\n\nid: 2\ndata: b\n\n');
  const expected = await parse([whole]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length), { maxLength: 20 }), async (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const chunks = at.slice(1).map((end, i) => whole.slice(at[i], end));
      expect(await parse(chunks)).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});
