import { expect, test } from 'bun:test';
import type { Step } from '../../services/runs/pages/steps.ts';
import { hasCutOutput, hasWords, placesIn, wordsOf } from './step-search.ts';

const call = (name: string, input: unknown, output: string | null, outputChars = output?.length ?? null) => ({
  ...{ callId: name, name, input, output, outputChars, media: [], state: 'succeeded' as const },
  ...{ decision: null, approvalId: null, startedAt: 1, endedAt: 2, durationMs: 1 },
});

const step = (part: Partial<Step>): Step => ({
  ...{ seq: 1, at: 1, turn: 1, undone: false, summarized: false, text: '', thinking: null, calls: [] },
  ...{ model: 'm', stopReason: 'end_turn', costMicros: 0, durationMs: 1, firstByteMs: null, between: [] },
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  ...part,
});

test('every word has to be found somewhere in a step, whatever its case, and the places are told once', () => {
  const looked = step({
    text: 'I read the **Notes**.',
    thinking: 'First the notes.',
    calls: [call('read_file', { path: 'docs/notes.txt' }, 'ten green bottles')],
  });
  expect(placesIn(looked, wordsOf('NOTES'))).toEqual(['text', 'thinking', 'call']);
  expect(placesIn(looked, wordsOf('notes  Bottles'))).toEqual(['text', 'thinking', 'call', 'output']);
  expect(placesIn(looked, wordsOf('read_file'))).toEqual(['call']);
  expect(placesIn(looked, wordsOf('notes absent'))).toBeNull();
  expect(placesIn(looked, wordsOf('  '))).toEqual([]);
});

test('what came between is found too, and an undo has no words', () => {
  const told = { kind: 'note' as const, at: 1, cause: 'steer' as const, text: 'Use Blue' };
  expect(placesIn(step({ between: [told] }), ['blue'])).toEqual(['between']);
  expect(hasWords(told, ['use', 'blue'])).toBe(true);
  expect(hasWords({ kind: 'undo', at: 1, turns: 2 }, ['blue'])).toBe(false);
});

test('an output that is longer than what is at hand is known', () => {
  expect(hasCutOutput([step({ calls: [call('a', {}, 'abc')] })])).toBe(false);
  expect(hasCutOutput([step({ calls: [call('a', {}, 'abc', 9)] })])).toBe(true);
});
