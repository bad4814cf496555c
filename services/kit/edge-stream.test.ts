import { expect, test } from 'bun:test';
import { endingStream } from './edge-stream.ts';

const STREAM = { headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-mark': 'kept' } };

/** A stream that says one thing and then waits for ever; `left` resolves when nobody reads it any more. */
function source() {
  const left = Promise.withResolvers<void>();
  let reads = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        reads++;
        if (reads === 1) controller.enqueue(new TextEncoder().encode('data: 1\n\n'));
        else await left.promise;
      },
      cancel: () => left.resolve(),
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body, STREAM), left: left.promise, reads: () => reads };
}

test('a stream goes on while its session holds, and ends after it', async () => {
  const { response, left, reads } = source();
  const looked = [true, true, false];
  const bound = endingStream(response, async () => looked.shift() ?? false, 5);
  expect([bound.status, bound.headers.get('x-mark'), reads()]).toEqual([200, 'kept', 0]);
  expect(await bound.text()).toBe('data: 1\n\n');
  await left;
  expect(looked).toEqual([]);
});

test('one whose session cannot be asked about ends', async () => {
  const { response, left } = source();
  const unknown = () => Promise.reject(new Error('nobody there'));
  expect(await endingStream(response, unknown, 5).text()).toBe('data: 1\n\n');
  await left;
});

test('whoever leaves it leaves the source, too', async () => {
  const { response, left } = source();
  const reader = endingStream(response, async () => true, 5).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await left;
});

test('any other answer stays as it is', () => {
  const other = Response.json({});
  expect(endingStream(other, async () => false)).toBe(other);
});
