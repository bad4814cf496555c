import { expect, test } from 'bun:test';
import { changeOf, differingFields, EMPTY_SPACE, repositoryName } from './space-draft.ts';

test('only what differs is changed; the order of agents and blanks around a name are no difference', () => {
  const before = { ...EMPTY_SPACE, name: 'Room', agents: ['a', 'b'] };
  expect(changeOf(before, { ...before, name: ' Room ', agents: ['b', 'a'] })).toBeNull();
  expect(changeOf(before, { ...before, mode: 'plan', agents: [] })).toEqual({ mode: 'plan', agents: [] });
  expect(differingFields(before, { ...before, autonomy: 'actFreely', whenNobody: 'wait' })).toEqual([
    ...(['autonomy', 'whenNobody'] as const),
  ]);
});

test('the name of a repository is a slug of its path', () => {
  expect(repositoryName('/srv/My App.git/')).toBe('my-app');
  expect(repositoryName('/srv/Été_2026')).toBe('ete-2026');
  expect(repositoryName('')).toBe('');
});
