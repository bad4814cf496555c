import { afterAll, afterEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { MessagesRequest } from '../../../test/model/messages-request.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, WORKSPACE } from '../test-bench.ts';
import { calls, delegates, dialogues, onWord } from '../test-dialogues.ts';
import { keepWhole } from './keep-whole.ts';
import { redact } from './output.ts';
import { readPage } from './output-page.ts';
import { type Call, folderOf, resultsOf, runOfCalls } from './test-calls.ts';

let bench: Bench | null = null;
afterEach(async () => {
  await bench?.close();
  bench = null;
});

const SECRET = 'sk-test-0123456789abcdef';
const FLOOD = `for i in $(seq 5000); do echo "line $i of many"; done; echo ${SECRET.slice(0, 9)}${SECRET.slice(9)}`;
const flood: Call = ['run_command', { command: FLOOD.replace(SECRET, 'sk-test-0123456789"abcdef"') }];

test('the whole of a cut output is kept without secrets, once, and read on by its call id', async () => {
  const made = await runOfCalls([flood], { secrets: [SECRET] });
  bench = made.bench;
  const [cut] = made.results;
  const callId = cut?.callId ?? '';
  expect(cut?.content).toContain(
    `(the output was cut; read_output with callId "${callId}" gives any part of it)`,
  );
  expect(cut?.content).not.toContain('abcdef');
  const kept = readFileSync(join(made.folder, `${callId}.txt`), 'utf8');
  expect(kept.split('\n').slice(0, -2)).toEqual(
    Array.from({ length: 5_000 }, (_, n) => `line ${n + 1} of many`),
  );
  expect(kept).toEndWith('\n[redacted]\n');
  const raw = [
    ...new Bun.Glob('**/output/*.log').scanSync({ cwd: join(made.folder, '..', '..'), dot: true }),
  ];
  expect(raw).toEqual([]);
  expect(readdirSync(made.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});

const readOn = (callId: string, more = {}): Call => ['read_output', { callId, ...more }];

test('a run reads what it and its sub-agents were given cut, and nobody else’s', async () => {
  let [own, sub] = ['', ''];
  /** The id that stands at the cut of the request's last output. */
  const cutIn = (request: MessagesRequest) =>
    [...JSON.stringify(request.messages).matchAll(/read_output with callId \\"(\w+)\\"/g)].at(-1)?.[1] ?? '';
  const script = dialogues(
    onWord('sub task', calls(flood), (request) => {
      sub = cutIn(request);
      return { text: `See ${sub}.` };
    }),
    onWord(
      'start',
      calls(flood),
      (request) => {
        own = cutIn(request);
        return delegates('sub task');
      },
      () =>
        calls(
          readOn(own, { startLine: 4_999 }),
          readOn(sub, { startLine: 1, lines: 2 }),
          readOn('call_none'),
          readOn(own, { startLine: 6_000 }),
          readOn(own),
        ),
      { text: 'Done.' },
    ),
    onWord('stranger', () => calls(readOn(own), readOn(`../${own}`)), { text: 'Done.' }),
  );
  bench = await createBench(script);
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat', [bench.repository.source]);
  const process = await bench.process();
  const { id } = await process.createRun({ agentId, conversationId, prompt: 'start' });
  const done = await process.settled(id);
  expect((await untilEnded(() => process.json<Run>('GET', `${WORKSPACE}/runs/${done.id}`))).status).toBe(
    'completed',
  );
  const read = (await resultsOf(process, id)).filter(({ name }) => name === 'read_output');
  // Reads of one answer run together and end in any order.
  const said = read.map(({ content, isError }) => [content, isError]);
  expect(said).toHaveLength(5);
  for (const [content, isError] of [
    ['(lines 4999–5001 of 5001, the last one)', false],
    ['line 1 of many\nline 2 of many\n(lines 1–2 of 5001; read on with startLine 3)', false],
    ['What was not cut is not kept: it was shown whole.', true],
    ['has 5001 lines; line 6000 is past its end.', true],
    ['(lines 1–500 of 5001; read on with startLine 501)', false],
  ] as const) {
    expect(said).toContainEqual([expect.stringContaining(content), isError]);
  }
  const { id: other } = await process.createRun({ agentId, conversationId, prompt: 'stranger' });
  await process.settled(other);
  for (const { isError } of await resultsOf(process, other)) expect(isError).toBe(true);
  expect(readdirSync(folderOf(bench, id))).toContain(`${own}.txt`);
});

async function untilEnded(look: () => Promise<Run>): Promise<Run> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    const run = await look();
    if (run.endedAt !== null) return run;
    await Bun.sleep(10);
  }
  throw new Error('The run did not end.');
}

const dir = mkdtempSync(join(tmpdir(), 'runs-pages-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('pages of any text meet without a gap or an overlap', async () => {
  const piece = fc.oneof(
    fc.constantFrom('\n', '\r\n', 'é🙂', 'word '),
    fc.string(),
    fc.constant('x'.repeat(30_000)),
  );
  const path = join(dir, 'pages.txt');
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (pieces, lines) => {
        const text = pieces.join('').toWellFormed();
        await Bun.write(path, text);
        let [joined, startLine, startColumn] = ['', 1, 1];
        for (let pages = 0; pages < 200; pages += 1) {
          const page = await readPage(path, { startLine, lines, startColumn });
          joined += page.text;
          [startLine, startColumn] = [
            page.nextColumn ? page.endLine : page.endLine + 1,
            page.nextColumn ?? 1,
          ];
          if (page.nextColumn === null && page.endLine >= page.totalLines) break;
        }
        expect(joined).toBe(text);
      },
    ),
    { numRuns: 150 },
  );
});

test('secrets are found wherever the pieces of a long output are cut', async () => {
  const path = join(dir, 'whole.txt');
  const word = fc.constantFrom(SECRET, `key=${SECRET};`, 'some', 'words\n', 'é🙂', '\t', 'x'.repeat(50));
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 60 }),
      fc.integer({ min: 1, max: 40 }),
      async (words, bytes) => {
        const text = words.join(' ');
        const all = Buffer.from(text);
        const read = async (offset: number) => all.subarray(offset, offset + bytes);
        let discarded = 0;
        const discard = async () => {
          discarded += 1;
        };
        await keepWhole({ read, discard }, path, [SECRET]);
        expect(readFileSync(path, 'utf8')).toBe(redact(text, [SECRET]));
        expect(discarded).toBe(1);
      },
    ),
    { numRuns: 200 },
  );
});
