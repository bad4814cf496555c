import { expect, test } from 'bun:test';
import { ticket } from './doubles/plans.ts';
import { findNodes } from './find-nodes.ts';

const nodes = [
  ticket('ticket/api', [], { title: 'Write the API', roleTitle: 'Coder' }),
  ticket('ticket/depot', [], { title: 'Préparer le dépôt', roleTitle: 'Rédactrice' }),
];

test('finds every word in title, role or key, without case or accents', () => {
  expect(findNodes(nodes, 'api')).toEqual(['ticket/api']);
  expect(findNodes(nodes, 'DEPOT redac')).toEqual(['ticket/depot']);
  expect(findNodes(nodes, 'ticket/')).toEqual(['ticket/api', 'ticket/depot']);
  expect(findNodes(nodes, 'api depot')).toEqual([]);
  expect(findNodes(nodes, '  ')).toEqual([]);
});
