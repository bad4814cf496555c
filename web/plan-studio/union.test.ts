import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { planArbitrary, ticket } from './doubles/plans.ts';
import { unionOf } from './union.ts';

const sameTitle = (a: { title: string }, b: { title: string }) => a.title === b.title;

test('says of each node what the newer revision did to it', () => {
  const before = [ticket('a'), ticket('b', ['a']), ticket('c', ['b']), ticket('d', ['a'])];
  const after = [
    ticket('a'),
    ticket('b', ['a'], { title: 'Better' }),
    ticket('d', ['b']),
    ticket('e', ['d']),
  ];
  const union = new Map(unionOf(before, after, sameTitle).map((node) => [node.key, node]));
  expect([...union].map(([key, { change }]) => [key, change])).toEqual([
    ['a', undefined],
    ['b', 'changed'],
    ['d', 'changed'],
    ['e', 'added'],
    ['c', 'removed'],
  ]);
  expect(union.get('b')?.title).toBe('Better');
  expect(union.get('d')?.needs).toEqual(['b', 'a']);
  expect(union.get('d')?.needChanges).toEqual({ b: 'added', a: 'removed' });
  expect(union.get('e')?.needChanges).toEqual({ d: 'added' });
  expect(union.get('c')?.needChanges).toEqual({ b: 'removed' });
});

test('what a structural step waits for is drawn, though nobody changed it', () => {
  const synthesis = (needs: string[]) => ticket('synthesis', needs, { kind: 'synthesis' });
  const union = unionOf([ticket('a'), synthesis(['a'])], [ticket('b'), synthesis(['b'])], sameTitle);
  const shown = union.find(({ key }) => key === 'synthesis');
  expect(shown?.change).toBeUndefined();
  expect(shown?.needChanges).toEqual({ b: 'added', a: 'removed' });
});

test('every node and need of both is in it once, and nothing can be edited', () => {
  fc.assert(
    fc.property(planArbitrary(), planArbitrary(), (before, after) => {
      const union = unionOf(before, after, sameTitle);
      const keys = union.map(({ key }) => key);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { key, needs, isReadOnly } of union) {
        const both = [...before, ...after].filter((node) => node.key === key).flatMap((node) => node.needs);
        expect(new Set(needs)).toEqual(new Set(both));
        expect(new Set(needs).size).toBe(needs.length);
        expect(isReadOnly).toBe(true);
      }
    }),
  );
});

test('a revision compared with itself has no change', () => {
  fc.assert(
    fc.property(planArbitrary(), (nodes) => {
      for (const { change, needChanges } of unionOf(nodes, nodes, sameTitle))
        expect([change, needChanges]).toEqual([undefined, {}]);
    }),
  );
});
