import { expect, test } from 'bun:test';
import { ticket } from './doubles/plans.ts';
import { findNodes } from './find-nodes.ts';

const nodes = [
  ticket('ticket/api', [], { title: 'Write the API', roleTitle: 'Coder', status: 'awaiting' }),
  ticket('ticket/depot', [], {
    ...{ title: 'Préparer le dépôt', roleTitle: 'Rédactrice' },
    ...{ status: 'paused' as const, statusNote: 'Disk is full' },
  }),
];
const find = (text: string) => findNodes(nodes, text, { awaiting: 'Waiting for you', paused: 'Paused' });

test('finds every word in title, role, key or state, without case or accents', () => {
  expect(find('api')).toEqual(['ticket/api']);
  expect(find('DEPOT redac')).toEqual(['ticket/depot']);
  expect(find('ticket/')).toEqual(['ticket/api', 'ticket/depot']);
  expect(find('waiting')).toEqual(['ticket/api']);
  expect(find('paused disk')).toEqual(['ticket/depot']);
  expect(find('api depot')).toEqual([]);
  expect(find('  ')).toEqual([]);
});
