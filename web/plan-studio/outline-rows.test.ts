import { expect, test } from 'bun:test';
import { proposal, ticket } from './draft-fixture.ts';
import { viewOf } from './draft-view.ts';
import { COLUMNS, moved, rowsOf, stagesOf } from './outline-rows.ts';

const titles = { research: 'Research', synthesis: 'Synthesis', position: (role: string) => role };
const nodesOf = (plan: ReturnType<typeof proposal>) =>
  viewOf(plan, { titles, estimate: null, steps: [], deferred: [], isEditable: true }).nodes;
const stages = stagesOf(nodesOf(proposal([ticket('a'), ticket('b', { needs: ['a'] }), ticket('c')])));

test('a stage holds what can be worked on at the same time', () => {
  expect(stages.map(({ nodes }) => nodes.map(({ key }) => key))).toEqual([
    ['ticket/a', 'ticket/c'],
    ['ticket/b'],
    ['synthesis'],
  ]);
});

test('what runs in a circle is still there', () => {
  const circle = proposal([ticket('a', { needs: ['b'] }), ticket('b', { needs: ['a'] })]);
  expect(stagesOf(nodesOf(circle)).flatMap(({ nodes }) => nodes)).toHaveLength(3);
});

test('arrows move by cell and stay inside; a closed stage hides its rows', () => {
  const rows = rowsOf(stages, new Set([1]));
  expect(rows.map(({ id }) => id)).toEqual(['stage-1', 'stage-2', 'ticket/b', 'stage-3', 'synthesis']);
  const from = { row: 'ticket/b', column: 'title' } as const;
  expect(moved(rows, COLUMNS, from, 'ArrowRight')).toEqual({ row: 'ticket/b', column: 'status' });
  expect(moved(rows, COLUMNS, from, 'ArrowLeft')).toEqual(from);
  expect(moved(rows, COLUMNS, from, 'ArrowUp')).toEqual({ row: 'stage-2', column: 'title' });
  expect(moved(rows, COLUMNS, from, 'End')).toEqual({ row: 'synthesis', column: 'title' });
  expect(moved(rows, COLUMNS, from, 'x')).toBeNull();
});
