import { expect, test } from 'bun:test';
import { changesOf } from './agent-change.ts';

test('fields come in the order of the form, each with both values', () => {
  const prose = { characters: 12, digest: '0123456789ab' };
  const data = {
    changed: ['maxTurns', 'persona', 'title'],
    changes: {
      maxTurns: { from: null, to: 12 },
      persona: { from: null, to: prose },
      title: { from: 'Engineer', to: 'Head' },
    },
  };
  expect(changesOf({ data })).toEqual([
    { field: 'title', values: { from: 'Engineer', to: 'Head' } },
    { field: 'persona', values: { from: null, to: prose } },
    { field: 'maxTurns', values: { from: null, to: 12 } },
  ]);
});

test('of an entry without values the fields are named alone, and an unknown one is left out', () => {
  expect(changesOf({ data: { changed: ['title', 'colour'] } })).toEqual([{ field: 'title', values: null }]);
  expect(changesOf({ data: { name: 'ann' } })).toEqual([]);
});
