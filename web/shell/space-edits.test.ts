import { expect, test } from 'bun:test';
import { EMPTY_SPACE } from './space-draft.ts';
import { conflictsOf, edited, keepMine, NO_EDITS, takeTheirs } from './space-edits.ts';

const before = { ...EMPTY_SPACE, name: 'Room', agents: ['a'] };

test('what only one of two changed asks nobody', () => {
  const edits = edited(NO_EDITS, before, { name: 'Mine' });
  expect(conflictsOf(edits, { ...before, mode: 'plan' })).toEqual([]);
  expect(conflictsOf(edits, { ...before, name: 'Mine' })).toEqual([]);
});

test('a field that both changed is asked about until one of the values is chosen', () => {
  const edits = edited(edited(NO_EDITS, before, { name: 'M' }), before, {
    name: 'Mine',
    autonomy: 'actFreely',
  });
  const now = { ...before, name: 'Theirs', mode: 'plan' as const };
  expect(conflictsOf(edits, now)).toEqual(['name']);
  expect(conflictsOf(keepMine(edits, now), now)).toEqual([]);
  expect(conflictsOf(keepMine(edits, now), { ...now, name: 'Again' })).toEqual(['name']);
  expect(takeTheirs(edits, now).mine).toEqual({ autonomy: 'actFreely' });
});

test('a value that was seen before it was changed is no conflict', () => {
  const now = { ...before, name: 'Theirs' };
  expect(conflictsOf(edited(NO_EDITS, now, { name: 'Mine' }), now)).toEqual([]);
});
