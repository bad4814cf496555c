import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Database } from '../../kit/database/database.ts';
import type { AnswerEntry, CompactionEntry, Entry, RunJournal } from '../harness/journal.ts';
import { followRun, type RunStreamItem } from './follow-run.ts';
import { LiveStreams, type Said } from './live-streams.ts';
import { RunVoice } from './run-voice.ts';

const RUN = 'run_1';

/** A run whose loop does as it is told; its journal is in memory. */
function createLoop() {
  const streams = new LiveStreams(() => undefined);
  const entries: Entry[] = [];
  const keep = async (entry: Entry) => void entries.push(entry);
  const journal = { load: async () => [...entries], answer: keep, compact: keep } as Partial<RunJournal>;
  const speaker = { streams, runId: RUN, secrets: ['a-secret-of-ours'], onHeard: () => undefined };
  const voice = new RunVoice(speaker, 0);
  const kept = voice.over(journal as RunJournal);
  // A reader asks where the run stands, which takes its time.
  const read = async () => {
    for (let i = 0; i < 3; i++) await Promise.resolve();
    return [{ phase: 'live', answered: entries.filter(({ kind }) => kind === 'answer').length }];
  };
  return {
    ...{ streams, voice, database: { read } as Partial<Database> as Database },
    answer: () => kept.answer({ kind: 'answer' } as AnswerEntry),
    summarize: () => kept.compact({ kind: 'compaction' } as CompactionEntry),
  };
}

/** What somebody who takes the items has on the screen. */
function shownBy(items: readonly RunStreamItem[]): Said {
  let said: Said = { answered: -1, thinking: '', text: '' };
  for (const item of items) {
    if (item.type === 'snapshot')
      said = { answered: item.answered, thinking: item.thinking, text: item.text };
    else if (item.type === 'answered') said = { answered: item.answered, thinking: '', text: '' };
    else if (item.type === 'retrying') said = { answered: said.answered, thinking: '', text: '' };
    else if (item.type === 'text' || item.type === 'thinking') said[item.type] += item.text;
  }
  return said;
}

/** Takes whatever there is, and stays until the run has left. */
function follow(loop: ReturnType<typeof createLoop>, signal = new AbortController().signal) {
  const items: RunStreamItem[] = [];
  const done = (async () => {
    for await (const item of followRun(loop.database, loop.streams, RUN, signal)) items.push(item);
  })();
  return { items, done };
}

type Step =
  | { say: 'text' | 'thinking'; words: string }
  | 'answer'
  | 'summary'
  | 'retry'
  | 'tool'
  | 'join'
  | 'breathe';
const steps = fc.array(
  fc.oneof(
    fc.record({
      say: fc.constantFrom('text' as const, 'thinking' as const),
      words: fc.string({ maxLength: 5 }),
    }),
    fc.constantFrom<Step>('answer', 'summary', 'retry', 'tool', 'join', 'breathe'),
  ),
  { maxLength: 40 },
);

test('whoever joins, whenever, has at the end what was said and kept, and every call from then on once', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const loop = createLoop();
      const { events } = loop.voice;
      const readers = [follow(loop)];
      let callCount = 0;
      for (const step of script as Step[]) {
        if (typeof step === 'object') events.delta({ type: step.say, text: step.words });
        else if (step === 'answer') await loop.answer();
        else if (step === 'summary') await loop.summarize();
        else if (step === 'retry')
          events.retrying({ attempt: 1, errorFamily: 'network', message: 'lost', delayMs: 1 });
        else if (step === 'tool')
          events.toolStarted({ callId: `call_${++callCount}`, name: 'read_file', input: {} });
        else if (step === 'join') readers.push(follow(loop));
        else await Promise.resolve();
      }
      const { said } = loop.voice;
      loop.streams.publish(RUN, { type: 'left' });
      await Promise.all(readers.map(({ done }) => done));
      for (const { items } of readers) {
        expect(items.map(({ type }) => type).filter((type) => type === 'snapshot')).toEqual(['snapshot']);
        expect(items[0]?.type).toBe('snapshot');
        expect(shownBy(items)).toEqual(said);
        const calls = items.flatMap((item) =>
          item.type === 'toolStarted' ? [Number(item.callId.slice(5))] : [],
        );
        expect(calls).toEqual(calls.map((_, i) => callCount - calls.length + 1 + i));
      }
    }),
    { numRuns: 500 },
  );
});

test('a reader that lags is told the words in few pieces, and is cut off before it holds too much', async () => {
  const loop = createLoop();
  const items = followRun(loop.database, loop.streams, RUN, new AbortController().signal);
  expect((await items.next()).value).toEqual({ type: 'snapshot', answered: 0, thinking: '', text: '' });
  for (let i = 0; i < 20_000; i++) loop.voice.events.delta({ type: 'text', text: 'word ' });
  expect((await items.next()).value).toEqual({ type: 'text', text: 'word '.repeat(20_000) });
  loop.voice.events.delta({ type: 'text', text: 'x'.repeat(2 << 20) });
  expect((await items.next()).done).toBe(true);
  const again = follow(loop);
  loop.streams.publish(RUN, { type: 'left' });
  await again.done;
  expect(shownBy(again.items).text).toHaveLength(20_000 * 5 + (2 << 20));
});

test('a loop that is over says nothing more, and takes away nothing of the one after it', async () => {
  const loop = createLoop();
  loop.voice.events.delta({ type: 'text', text: 'old' });
  const speaker = { streams: loop.streams, runId: RUN, secrets: [], onHeard: () => undefined };
  const next = new RunVoice(speaker, 4);
  loop.voice.end();
  loop.voice.events.delta({ type: 'text', text: 'older' });
  next.events.delta({ type: 'text', text: 'new' });
  expect(loop.streams.said(RUN)).toEqual({ answered: 4, thinking: '', text: 'new' });
  next.end();
  expect(loop.streams.said(RUN)).toBeNull();
});

test('who leaves is told nothing and listened for no more', async () => {
  const loop = createLoop();
  const leaving = new AbortController();
  const { items, done } = follow(loop, leaving.signal);
  loop.voice.events.delta({ type: 'text', text: 'a' });
  leaving.abort();
  await done;
  loop.voice.events.delta({ type: 'text', text: 'b' });
  expect(items.filter(({ type }) => type === 'text')).toEqual([]);
});
