import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Explanation } from '../../../services/runs/guard/explain.ts';
import { explainLines } from './explain-lines.ts';

const explanationOf = (command: string): Explanation => ({
  ...{ command, decision: 'allow', classes: [], rule: { kind: 'harmless' }, reason: 'None.' },
  ...{ findings: [], understood: true, offered: true },
});

function streamOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function commandsOf(chunks: Uint8Array[]): Promise<string[]> {
  let out = '';
  await explainLines(streamOf(chunks), explanationOf, async (text) => {
    out += text;
    return true;
  });
  const lines = out.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => (JSON.parse(line) as { command: string }).command);
}

test('any bytes give one line each, in order, wherever they are cut', async () => {
  const line = fc.uint8Array({ maxLength: 20 }).map((bytes) => bytes.filter((byte) => byte !== 0x0a));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 8 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      async (lines, cuts) => {
        const bytes = Buffer.concat(lines.flatMap((one) => [one, Uint8Array.of(0x0a)]));
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; ) {
          const length = cuts.next().value;
          chunks.push(bytes.subarray(at, at + length));
          at += length;
        }
        const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
        expect(await commandsOf(chunks)).toEqual(lines.map((one) => decoder.decode(one)));
      },
    ),
  );
});

test('an answer is one line however a reader ends lines', async () => {
  const [command] = await commandsOf([new TextEncoder().encode('a\u2028b\u2029c\u0085d\re\u000bf')]);
  expect(command).toBe('a\u2028b\u2029c\u0085d\re\u000bf');
  await explainLines(
    streamOf([new TextEncoder().encode('a\u2028b\u0085c\rd')]),
    explanationOf,
    async (text) => {
      expect(text.trimEnd()).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      return true;
    },
  );
});

test('an empty line is a line, bytes after the last newline are one, nothing is none', async () => {
  const bytes = (text: string) => [new TextEncoder().encode(text)];
  expect(await commandsOf(bytes('\n'))).toEqual(['']);
  expect(await commandsOf(bytes('a\n\nb'))).toEqual(['a', '', 'b']);
  expect(await commandsOf([])).toEqual([]);
});

test('bytes that are no UTF-8 take no separator with them', async () => {
  const bytes = Uint8Array.of(0xe2, 0x3b, 0xff, 0x26, 0xc0, 0xa6, 0x0a, 0xf0, 0x9f, 0x0a);
  expect(await commandsOf([bytes])).toEqual(['\ufffd;\ufffd&\ufffd\ufffd', '\ufffd']);
});

test('a line is answered before the next one comes, and nothing is read once nobody listens', async () => {
  const answered = Promise.withResolvers<void>();
  let asked = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      asked += 1;
      if (asked > 1) await answered.promise;
      controller.enqueue(new TextEncoder().encode('a\n'));
    },
  });
  await explainLines(body, explanationOf, async () => {
    answered.resolve();
    return asked < 3;
  });
  expect(asked).toBeLessThan(6);
});
