import { afterEach, expect, test } from 'bun:test';
import { readSse } from '../../kit/read-sse.ts';
import type { RunStreamItem } from '../dispatch/follow-run.ts';
import type { StepsPage } from '../pages/store.ts';
import { type Bench, createBench, type Process, turns, until, WORKSPACE } from '../test-bench.ts';

let bench: Bench;
afterEach(() => bench.close());

/** Reads the stream of a run to its end, or until it is left. */
async function follow(process: Process, id: string) {
  const gone = new AbortController();
  const response = await process.call('GET', `${WORKSPACE}/runs/${id}/stream`);
  const items: RunStreamItem[] = [];
  const body = response.body!.pipeThrough(new TransformStream(), { signal: gone.signal });
  const done = (async () => {
    for await (const { data } of readSse(body)) items.push(JSON.parse(data) as RunStreamItem);
  })().catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  });
  return { items, done, leave: () => gone.abort() };
}

const text = (items: readonly RunStreamItem[], type: 'text' | 'thinking' = 'text') =>
  items.map((item) => (item.type === type ? item.text : '')).join('');
const types = (items: readonly RunStreamItem[]) =>
  items.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1]);

test('who comes in the middle of an answer has its beginning and its end, and nothing twice', async () => {
  const said = 'All of it, from the first word to the last.';
  bench = await createBench(
    turns(
      {
        thinking: 'Let me see.',
        text: 'First.',
        tools: [{ name: 'read_file', input: { path: 'README.md' } }],
      },
      { text: said, chunkChars: 3, chunkDelayMs: 40 },
    ),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process();
  const run = await process.createRun({ agentId });
  const first = await follow(process, run.id);
  await until(
    async () => text(first.items),
    (told) => told.length > 'First.'.length + 12,
  );
  const second = await follow(process, run.id);
  await Promise.all([first.done, second.done]);
  const turn = ['snapshot', 'thinking', 'text', 'answered', 'toolFinished', 'text', 'answered'];
  expect(types(first.items) as string[]).toEqual([...turn, 'left']);
  const [snapshot] = second.items;
  if (snapshot?.type !== 'snapshot') throw new Error('no snapshot');
  expect(snapshot).toMatchObject({ answered: 1, thinking: '' });
  expect(snapshot.text.length).toBeGreaterThan(0);
  expect(snapshot.text + text(second.items)).toBe(said);
  expect(types(second.items)).toEqual(['snapshot', 'text', 'answered', 'left']);
  expect(first.items.filter(({ type }) => type === 'answered')).toEqual([
    { type: 'answered', answered: 1 },
    { type: 'answered', answered: 2 },
  ]);
  const late = await follow(process, run.id);
  await late.done;
  expect(late.items).toEqual([{ type: 'snapshot', answered: 2, thinking: '', text: '' }, { type: 'left' }]);
}, 20_000);

test('what was said is on the page when its answer is told as kept', async () => {
  bench = await createBench(
    turns({ text: 'Kept.', tools: [{ name: 'ask_user', input: { question: 'Why?' } }] }),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const { id: conversationId } = bench.spaces.addConversation('chat');
  const process = await bench.process();
  const run = await process.createRun({ agentId, conversationId });
  const response = await process.call('GET', `${WORKSPACE}/runs/${run.id}/stream`);
  for await (const { event } of readSse(response.body!)) {
    if (event !== 'answered') continue;
    const page = await process.json<StepsPage>('GET', `${WORKSPACE}/runs/${run.id}/page`);
    expect([page.turns, page.steps[0]?.text]).toEqual([1, 'Kept.']);
    break;
  }
  await process.settled(run.id);
});

test('a try that fails takes its words along', async () => {
  const fault = { kind: 'cut', afterEvents: 5 } as const;
  bench = await createBench(turns({ text: 'Once more, with feeling.', chunkChars: 4, fault }));
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process();
  const run = await process.createRun({ agentId });
  const { items, done } = await follow(process, run.id);
  await done;
  const at = items.findIndex(({ type }) => type === 'retrying');
  expect(text(items.slice(0, at)).length).toBeGreaterThan(0);
  expect(text(items.slice(at))).toBe('Once more, with feeling.');
}, 20_000);

test('no secret is said live, in however many pieces it comes', async () => {
  const secret = 'sk-live-abcdefgh-0123456789';
  bench = await createBench(
    turns({ thinking: `It is ${secret}?`, text: `The key is ${secret}. Keep it.`, chunkChars: 5 }),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const process = await bench.process({ deps: { secrets: [secret] } });
  const run = await process.createRun({ agentId });
  const { items, done } = await follow(process, run.id);
  await done;
  expect(text(items)).toBe('The key is [redacted]. Keep it.');
  expect(text(items, 'thinking')).toBe('It is [redacted]?');
});

test('after the process died in the middle of an answer, the next one says it from its beginning', async () => {
  const said = 'Again from the beginning.';
  bench = await createBench(
    turns(
      { text: 'One.', tools: [{ name: 'read_file', input: { path: 'README.md' } }] },
      { text: said, chunkChars: 2, chunkDelayMs: 60 },
    ),
  );
  const { id: agentId } = bench.spaces.addAgent('engineer');
  const first = await bench.process();
  const run = await first.createRun({ agentId });
  const before = await follow(first, run.id);
  await until(
    async () => text(before.items),
    (told) => told.length > 'One.'.length + 4,
  );
  await first.stop();
  await before.done;
  const second = await bench.process();
  const { items, done } = await follow(second, run.id);
  await done;
  expect(items[0]).toMatchObject({ type: 'snapshot', answered: 1, thinking: '' });
  const [snapshot] = items;
  expect((snapshot?.type === 'snapshot' ? snapshot.text : '') + text(items)).toBe(said);
  expect(items.at(-2)).toEqual({ type: 'answered', answered: 2 });
}, 20_000);
