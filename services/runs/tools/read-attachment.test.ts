import { afterEach, describe, expect, test } from 'bun:test';
import { capabilityProfile, MODES, type Mode } from '../../../core-wasm/core.ts';
import { blocksOf } from '../../../test/model/messages-request.ts';
import type { ModelScript } from '../../../test/model/script.ts';
import { surfaceOf } from '../dispatch/surface.ts';
import type { ToolFinishedEntry } from '../harness/journal.ts';
import type { Run } from '../runs/schema.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';
import { calls } from '../test-dialogues.ts';
import { readAttachment } from './read-attachment.ts';
import { resultsOf } from './test-calls.ts';

/** One transparent pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer <<>>\n%%EOF\n');

type File = [name: string, bytes: Uint8Array | string];
type Room = ReturnType<Bench['spaces']['addConversation']>;

let bench: Bench;
afterEach(() => bench?.close());

const ended = (process: Process) =>
  until(
    async () => (await process.json<{ items: Run[] }>('GET', `${WORKSPACE}/runs`)).items,
    (items) => items.length === 1 && items.every(({ endedAt }) => endedAt !== null),
  );

/** In the order of the calls of the one answer that made any. */
async function resultsOfCalls(process: Process, run: Run | undefined): Promise<ToolFinishedEntry[]> {
  const blocks = blocksOf(bench.model.requests[1]?.body.messages.at(-1)?.content);
  const order = blocks.map((block) => block.tool_use_id);
  const results = await resultsOf(process, run?.id ?? '');
  return results.toSorted((a, b) => order.indexOf(a.callId) - order.indexOf(b.callId));
}

/** What an agent gets of the files, which a person sends to it, when it reads each with `more`. */
async function read(files: readonly File[], more: object = {}, mode: Mode = 'chat') {
  const ids: string[] = [];
  bench = await createBench(readingOf(ids, more));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const room = bench.spaces.addConversation(mode);
  const attached = files.map(([name, bytes]) => attach(room, name, bytes));
  ids.push(...attached.map(({ id }) => id));
  const process = await bench.process();
  await bench.spaces.say(room.id, '', [agentId], 'steer', attached);
  const [run] = await ended(process);
  return { results: await resultsOfCalls(process, run), attached };
}

const readingOf = (ids: readonly string[], more: object = {}): ModelScript => {
  const reading = () => calls(...ids.map((id) => named(id, more)));
  return { name: 'test', dialogues: [{ name: 'all', when: {}, turns: [reading, { text: 'Read.' }] }] };
};
const named = (attachmentId: string, more = {}): [string, unknown] => [
  'read_attachment',
  { attachmentId, ...more },
];
const attach = (room: Room, name: string, bytes: Uint8Array | string, mediaType = 'text/plain') =>
  bench.spaces.attach(room.id, name, mediaType, Buffer.from(bytes));
const contents = (results: readonly ToolFinishedEntry[]) => results.map(({ content }) => content);

describe('read_attachment', () => {
  test('gives a text as it stands and shows an image and a PDF, in a mode that only reads as well', async () => {
    const files: File[] = [
      ['a.txt', 'one\ntwö\n'],
      ['shot.png', PNG],
      ['paper.pdf', PDF],
      ['empty.txt', ''],
    ];
    const { results, attached } = await read(files, {}, 'plan');
    expect(contents(results)).toEqual([
      'one\ntwö\n',
      `shot.png (image/png, 1×1 pixels, ${PNG.length} bytes) follows.`,
      `paper.pdf (application/pdf, ${PDF.length} bytes) follows.`,
      '(the file is empty)',
    ]);
    const [asked, told] = bench.model.requests.map(({ body }) => blocksOf(body.messages.at(-1)?.content));
    for (const { id, name } of attached) {
      const line = new RegExp(`Attachment: "${name}" .*, read it with read_attachment ${id}`);
      expect(asked?.map(({ text }) => text).join('')).toMatch(line);
    }
    const shown = told?.flatMap((result) => blocksOf(result.content)) ?? [];
    expect(shown.map(({ type }) => type)).toEqual(['text', 'text', 'image', 'text', 'document', 'text']);
    expect(shown[2]).toMatchObject({ source: { media_type: 'image/png', data: PNG.toString('base64') } });
  });

  test('gives a long text in parts that meet, each with its place', async () => {
    const text = Array.from({ length: 4_000 }, (_, n) => `line ${n + 1}`).join('\n');
    const [first] = contents((await read([['long.txt', text]])).results);
    const shown = Number(/\(lines 1–(\d+) of 4000; read on with startLine \d+\)$/.exec(first ?? '')?.[1]);
    expect(first).toStartWith(text.split('\n').slice(0, shown).join('\n'));
    await bench.close();
    const [rest] = contents((await read([['long.txt', text]], { startLine: shown + 1 })).results);
    expect(rest).toStartWith(`line ${shown + 1}\n`);
    await bench.close();
    const [some, past] = [{ startLine: 7, lines: 2 }, { startLine: 4_001 }];
    const [part] = contents((await read([['long.txt', text]], some)).results);
    expect(part).toBe('line 7\nline 8\n(lines 7–8 of 4000; read on with startLine 9)');
    await bench.close();
    expect((await read([['long.txt', text]], past)).results).toMatchObject([
      { isError: true, content: expect.stringContaining('has 4000 lines') },
    ]);
  });

  test('says of what it cannot show why, and who mends it', async () => {
    const wide = Buffer.from(PNG);
    wide.writeUInt32BE(9_000, 16);
    const big = Buffer.concat([PNG, Buffer.alloc(4_000_000)]);
    const files: File[] = [
      ['wide.png', wide],
      ['big.png', big],
      ['cut.png', PNG.subarray(0, 40)],
      ['x.bin', 'a\0b'],
    ];
    const { results } = await read(files);
    expect(results.map(({ isError, media }) => [isError, media])).toEqual(Array(4).fill([true, undefined]));
    const [pixels, bytes, damaged, binary] = contents(results);
    expect(pixels).toMatch(/9000×1 pixels.*A person has to attach a smaller one/);
    expect(bytes).toMatch(/4000070 bytes.*A person has to attach a smaller one/);
    expect(damaged).toContain('damaged or cut off');
    expect(binary).toMatch(/^x\.bin \(text\/plain, 3 bytes\) is neither text/);
  });

  test('reads what was sent in any conversation of the space, and nothing else', async () => {
    const ids: string[] = [];
    bench = await createBench(readingOf(ids));
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const room = bench.spaces.addConversation('chat');
    const [thread, elsewhere] = [bench.spaces.addThread(room), bench.spaces.addConversation('chat')];
    const [near, far, unsent] = [
      attach(thread, 'near', 'near'),
      attach(elsewhere, 'far', 'far'),
      attach(room, 'x', 'x'),
    ];
    await bench.spaces.say(thread.id, 'See.', [], 'steer', [near]);
    await bench.spaces.say(elsewhere.id, 'See.', [], 'steer', [far]);
    ids.push(near.id, far.id, unsent.id, 'att_none');
    const process = await bench.process();
    await bench.spaces.say(room.id, 'Read all.', [agentId]);
    const [run] = await ended(process);
    const [read, ...refused] = await resultsOfCalls(process, run);
    expect(read).toMatchObject({ isError: false, content: 'near' });
    expect(refused.map(({ isError, content }) => [isError, content])).toEqual(
      [far.id, unsent.id, 'att_none'].map((id) => [
        true,
        expect.stringContaining(`There is no attachment "${id}" of a message of this space`),
      ]),
    );
  });

  test('is named to an agent at work that is told of a file, and by read_space', async () => {
    bench = await createBench(
      turns({ ...calls(['list_agents', {}]), delayMs: 300 }, calls(['read_space', {}]), { text: 'Seen.' }),
    );
    const { id: agentId } = bench.spaces.addAgent('engineer');
    const room = bench.spaces.addConversation('chat');
    const process = await bench.process();
    await bench.spaces.say(room.id, 'Begin.', [agentId]);
    await until(
      async () => bench.model.requests.length,
      (count) => count === 1,
    );
    const late = attach(room, 'late.txt', 'late');
    await bench.spaces.say(room.id, '', [agentId], 'steer', [late]);
    const [run] = await ended(process);
    const line = `Attachment: "late.txt" (text/plain, 4 bytes), read it with read_attachment ${late.id}`;
    const told = JSON.stringify(bench.model.requests[1]?.body.messages.at(-1));
    expect(told).toContain(JSON.stringify(`> ${line}`).slice(1, -1));
    expect(contents(await resultsOf(process, run?.id ?? '')).at(-1)).toContain(`Ada (text):\n> ${line}`);
  });
});

test('every mode has read_attachment, in runs that have a conversation', () => {
  const surface = (mode: Mode, hasConversation: boolean) =>
    surfaceOf(capabilityProfile(mode), { hasConversation, hasWorktree: false, hasReview: false });
  for (const mode of MODES) {
    const has = [true, false].map((where) => surface(mode, where).includes(readAttachment));
    expect([mode, has]).toEqual([mode, [true, false]]);
  }
});
