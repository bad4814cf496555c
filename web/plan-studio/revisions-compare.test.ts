import { expect, test } from 'bun:test';
import { deleteTicket, editTicket } from './draft-edits.ts';
import { proposal, ticket } from './draft-fixture.ts';
import { cameWith, compare } from './revisions-compare.ts';

const before = proposal([ticket('a'), ticket('b', { needs: ['a'] }), ticket('c')]);

test('two revisions differ by what was added, removed and changed, field by field', () => {
  const edited = deleteTicket(
    editTicket(before, 'b', { title: 'New', outputSchema: { type: 'object' } }),
    'c',
  );
  const after = { ...edited, tickets: [...edited.tickets, ticket('d')] };
  const { tickets, counts, others } = compare(before, after);
  expect(counts).toEqual({ added: 1, removed: 1, changed: 1 });
  expect(others).toEqual([]);
  expect(tickets.map(({ key, change }) => [key, change])).toEqual([
    ['b', 'changed'],
    ['d', 'added'],
    ['c', 'removed'],
  ]);
  expect(tickets[0]?.fields.map(({ field, before: was, after: is }) => [field, was, is])).toEqual([
    ['title', 'Title b', 'New'],
    ['outputSchema', '', '{\n  "type": "object"\n}'],
  ]);
});

test('what only a new proposal changes is named', () => {
  expect(compare(before, { ...before, goal: 'Other', budgetMicros: 2 }).others).toEqual([
    'goal',
    'budgetMicros',
  ]);
  expect(compare(before, structuredClone(before))).toEqual({
    ...{ tickets: [], others: [], counts: { added: 0, removed: 0, changed: 0 } },
  });
});

test('what came with revisions is told by who wrote it, the last of each sub-ticket', () => {
  const first = editTicket(before, 'a', { title: 'One' });
  const second = editTicket(first, 'b', { role: 'qa' });
  const third = { ...editTicket(second, 'a', { title: 'Two' }), goal: 'Other' };
  const revisions = [before, first, second, third].map((one, i) => ({
    ...{
      revision: i + 1,
      author: i === 2 ? ('person:mara' as const) : ('person:kim' as const),
      proposal: one,
    },
  }));
  const came = cameWith(revisions, [2, 3, 4, 9]);
  expect(
    came.map(({ author, tickets, others }) => [author, tickets.map(({ title }) => title), others]),
  ).toEqual([
    ['person:kim', ['Two'], ['goal']],
    ['person:mara', ['Title b'], []],
  ]);
});
