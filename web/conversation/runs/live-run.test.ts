import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { RunStreamItem } from '../../../services/runs/dispatch/follow-run.ts';
import { hearing, type LiveRun, SILENT, unread } from './live-run.ts';

const heard = (items: readonly RunStreamItem[], from: LiveRun = SILENT) =>
  items.reduce((live, item, i) => hearing(live, item, i * 100), from);
const text = (words: string) => ({ type: 'text', text: words }) as const;
const thinking = (words: string) => ({ type: 'thinking', text: words }) as const;
const snapshot = (answered: number, said = '') =>
  ({ type: 'snapshot', answered, thinking: '', text: said }) as const;
const answered = (count: number) => ({ type: 'answered', answered: count }) as const;
const retrying = {
  type: 'retrying',
  attempt: 1,
  errorFamily: 'overloaded',
  message: 'x',
  delayMs: 5,
} as const;
const words = (live: LiveRun, turns: number) => unread(live, turns).map((one) => [one.answer, one.text]);

test('what was said stays until the page has it, and is then not said twice', () => {
  const live = heard([snapshot(0), text('one'), answered(1), text('tw'), text('o')]);
  expect(words(live, 0)).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
  expect(words(live, 1)).toEqual([[2, 'two']]);
  expect(words(live, 2)).toEqual([]);
});

test('a new beginning of the stream goes on from what the server says', () => {
  const before = heard([snapshot(1), text('par')]);
  expect(words(heard([snapshot(1, 'partial'), text('ly')], before), 1)).toEqual([[2, 'partially']]);
  // The answer was lost with its server: what was said of it is void.
  expect(words(heard([snapshot(1)], before), 1)).toEqual([]);
  // It was kept meanwhile, and the page does not have it yet.
  expect(words(heard([snapshot(2, 'next')], before), 1)).toEqual([
    [2, 'par'],
    [3, 'next'],
  ]);
});

test('another try drops what was said, and the words of a summary are nobody’s', () => {
  const live = heard([snapshot(0), thinking('hm'), text('half'), retrying]);
  expect([words(live, 0), live.retrying?.attempt]).toEqual([[], 1]);
  expect(heard([text('whole')], live)).toMatchObject({ retrying: null });
  expect(words(heard([snapshot(3), text('a summary'), answered(3), text('on')]), 3)).toEqual([[4, 'on']]);
});

test('thinking lasts from its first word to the first of the text, where both were heard', () => {
  const live = heard([snapshot(0), thinking('a'), thinking('b'), text('c'), answered(1)]);
  expect(live.thoughtMs).toEqual({ 1: 200 });
  const joined = heard([{ ...snapshot(0), thinking: 'since long' }, thinking('b'), text('c'), answered(1)]);
  expect(joined.thoughtMs).toEqual({});
});

test('calls are known while they are made', () => {
  const started = { type: 'toolStarted', callId: 'c1', name: 'read_file' } as const;
  const finished = {
    type: 'toolFinished',
    callId: 'c1',
    name: 'read_file',
    isError: false,
    durationMs: 3,
  } as const;
  expect(heard([snapshot(1), started]).calls).toEqual({ c1: 100 });
  expect(heard([snapshot(1), started, finished]).calls).toEqual({});
  expect(heard([snapshot(1), started, { type: 'left' }])).toMatchObject({ calls: {}, hasLeft: true });
});

test('however a text is cut, and wherever one joins, it is told whole and once', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), fc.nat(), (pieces, at) => {
      const cut = at % (pieces.length + 1);
      const late = heard([snapshot(4, pieces.slice(0, cut).join('')), ...pieces.slice(cut).map(text)]);
      expect(late.segments.at(-1)?.text).toBe(pieces.join(''));
    }),
  );
});
