import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { choiceOfAll, firstChoices, myChanges, reapply, rebased } from './conflict-merge.ts';
import { deleteTicket, editTicket } from './draft-edits.ts';
import { proposal, ticket } from './draft-fixture.ts';

const base = proposal([ticket('a'), ticket('b', { needs: ['a'] }), ticket('c')]);

describe('what I changed', () => {
  test('is free where they left it alone and for the person to decide where they did not', () => {
    const mine = editTicket(editTicket(base, 'a', { title: 'Mine' }), 'c', { description: 'Mine too' });
    const theirs = editTicket(base, 'a', { title: 'Theirs', description: 'Theirs' });
    const changes = myChanges(base, mine, theirs);
    expect(changes.map(({ id, clash }) => [id, clash])).toEqual([
      ['a/title', 'both'],
      ['c/description', 'free'],
    ]);
    expect(firstChoices(changes)).toEqual({ 'c/description': 'mine' });
    expect(changes[0]).toMatchObject({ base: 'Title a', mine: 'Mine', theirs: 'Theirs' });
  });

  test('is nothing where both of us say the same', () => {
    const same = editTicket(base, 'a', { title: 'Same' });
    expect(myChanges(base, same, same)).toEqual([]);
  });

  test('cannot be put on what they deleted, and is still told', () => {
    const mine = editTicket(base, 'c', { title: 'Long text of mine' });
    const changes = myChanges(base, mine, deleteTicket(base, 'c'));
    expect(changes).toMatchObject([{ clash: 'gone', mine: 'Long text of mine' }]);
    expect(choiceOfAll(changes, 'mine')).toEqual({ 'c/title': 'theirs' });
    expect(reapply(deleteTicket(base, 'c'), changes, { 'c/title': 'mine' })).toEqual(deleteTicket(base, 'c'));
  });

  test('may be a deletion of what they changed', () => {
    const theirs = editTicket(base, 'a', { title: 'Theirs' });
    const changes = myChanges(base, deleteTicket(base, 'a'), theirs);
    expect(changes.map(({ id, clash }) => [id, clash])).toEqual([
      ['a/deleted', 'both'],
      ['b/needs', 'free'],
    ]);
    const kept = reapply(theirs, changes, { 'a/deleted': 'theirs', 'b/needs': 'theirs' });
    expect(kept).toEqual(theirs);
    const gone = reapply(theirs, changes, choiceOfAll(changes, 'mine'));
    expect(gone.tickets.map(({ key }) => key)).toEqual(['b', 'c']);
  });
});

test('needs that name nothing any more are left out', () => {
  const mine = editTicket(base, 'c', { needs: ['a', 'b'] });
  const theirs = deleteTicket(base, 'a');
  const changes = myChanges(base, mine, theirs);
  expect(reapply(theirs, changes, choiceOfAll(changes, 'mine')).tickets[1]?.needs).toEqual(['b']);
});

test('all theirs is the newest revision; all mine has every field of mine that they did not delete', () => {
  const edit = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    field: fc.constantFrom('title', 'description', 'role'),
    value: fc.constantFrom('x', 'y', 'z'),
  });
  const edits = fc.array(edit, { maxLength: 6 });
  fc.assert(
    fc.property(edits, edits, (ours, others) => {
      const apply = (list: typeof ours) =>
        list.reduce((at, { key, field, value }) => editTicket(at, key, { [field]: value }), base);
      const [mine, theirs] = [apply(ours), apply(others)];
      const changes = myChanges(base, mine, theirs);
      expect(reapply(theirs, changes, choiceOfAll(changes, 'theirs'))).toEqual(theirs);
      const merged = reapply(theirs, changes, choiceOfAll(changes, 'mine'));
      for (const { key, field } of ours) {
        const of = (from: typeof base) => from.tickets.find((one) => one.key === key)?.[field as 'title'];
        if (of(mine) !== of(base)) expect(of(merged)).toBe(of(mine)!);
      }
    }),
  );
});

test('deletions of both that would leave nothing are not made', () => {
  const base = proposal([ticket('a'), ticket('b')]);
  const mine = proposal([ticket('b')]);
  const theirs = proposal([ticket('a')]);
  const changes = myChanges(base, mine, theirs);
  expect(reapply(theirs, changes, choiceOfAll(changes, 'mine'))).toEqual(theirs);
});

test('dependencies that run in a circle together are for the person to decide, and so is what they came to need', () => {
  const mine = editTicket(base, 'a', { needs: ['c'] });
  const theirs = editTicket(base, 'c', { needs: ['a'] });
  expect(myChanges(base, mine, theirs)).toMatchObject([{ id: 'a/needs', clash: 'both' }]);
  expect(myChanges(base, mine, base)).toMatchObject([{ id: 'a/needs', clash: 'free' }]);
  expect(myChanges(base, deleteTicket(base, 'c'), base)).toMatchObject([{ clash: 'free' }]);
  const needing = editTicket(base, 'b', { needs: ['a', 'c'] });
  expect(myChanges(base, deleteTicket(base, 'c'), needing)).toMatchObject([{ clash: 'both' }]);
});

test('what both say is kept as it is typed, and what I brought back is on top again', () => {
  const mine = editTicket(base, 'a', { title: 'Title a ' });
  const theirs = editTicket(base, 'b', { title: 'Theirs' });
  const kept = rebased(base, mine, theirs);
  expect(kept.tickets.map(({ title }) => title)).toEqual(['Title a ', 'Theirs', 'Title c']);
  expect(kept.tickets[0]).toBe(mine.tickets[0]!);
  const without = deleteTicket(base, 'a');
  expect(
    rebased(without, base, without)
      .tickets.map(({ key }) => key)
      .toSorted(),
  ).toEqual(['a', 'b', 'c']);
});
