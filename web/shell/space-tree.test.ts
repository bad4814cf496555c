import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { holds, type SpaceNode, spaceTree, type TreeSpace, waitingBySpace } from './space-tree.ts';

const space = (id: string, change: Partial<TreeSpace> = {}): TreeSpace => ({
  ...{ id, name: id, parentSpaceId: null, lastMessageAt: null, createdAt: 0 },
  ...change,
});
const ids = (nodes: readonly SpaceNode<TreeSpace>[]) => nodes.map((node) => node.space.id);

test('what waits comes first, then what was spoken in last, then what is newest', () => {
  const spaces = [
    space('old', { createdAt: 1 }),
    space('new', { createdAt: 5 }),
    space('spoken', { createdAt: 2, lastMessageAt: 9 }),
    space('waits', { createdAt: 1 }),
  ];
  expect(ids(spaceTree(spaces, new Map([['waits', 1]])))).toEqual(['waits', 'spoken', 'new', 'old']);
});

test('what waits below counts for the space above', () => {
  const spaces = [space('a', { createdAt: 9 }), space('b'), space('c', { parentSpaceId: 'b' })];
  const isC = ({ id }: TreeSpace) => id === 'c';
  const [first, second] = spaceTree(
    spaces,
    waitingBySpace([{ spaceId: 'c' }, { spaceId: 'c' }, { spaceId: null }]),
  );
  expect([first?.space.id, first?.waiting, first?.allWaiting]).toEqual(['b', 0, 2]);
  expect([second?.space.id, holds(first!, isC), holds(second!, isC)]).toEqual(['a', true, false]);
});

test('every space is there once, whatever its parent', () => {
  const all = fc.array(fc.option(fc.integer({ min: 0, max: 12 }), { nil: null }), { maxLength: 10 });
  fc.assert(
    fc.property(all, (parents) => {
      // A parent is older than its child, as spaces are made; some parents are not known here.
      const spaces = parents.map((parent, i) =>
        space(`s${i}`, {
          parentSpaceId: parent === null || (parent >= i && parent < 10) ? null : `s${parent}`,
        }),
      );
      const flat = (nodes: readonly SpaceNode<TreeSpace>[]): string[] =>
        nodes.flatMap((node) => [node.space.id, ...flat(node.children)]);
      expect(flat(spaceTree(spaces, new Map())).sort()).toEqual(spaces.map(({ id }) => id).sort());
    }),
  );
});
