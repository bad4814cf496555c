import { expect, test } from 'bun:test';
import { ticket } from './doubles/plans.ts';
import { criticalEdges, drawnEdges } from './edge-model.ts';
import { planGraph } from './graph.ts';
import type { PlanNode } from './plan-view.ts';

const looks = (nodes: PlanNode[]) =>
  Object.fromEntries(drawnEdges(nodes, planGraph(nodes)).map(({ id, look }) => [id, look]));

test('what a person wrote and could leave out is faint, what structure implies is not drawn', () => {
  const collect = ticket('collect', ['a', 'b', 'c'], { kind: 'collect' });
  expect(looks([ticket('a'), ticket('b', ['a']), ticket('c', ['a', 'b']), collect])).toEqual({
    'a>b': 'plain',
    'a>c': 'redundant',
    'b>c': 'plain',
    'c>collect': 'plain',
  });
});

test('a ticket behind a gate hangs on the gate alone', () => {
  const gate = ticket('gate/b', ['a'], { kind: 'gate' });
  expect(looks([ticket('a'), gate, ticket('b', ['a', 'gate/b'])])).toEqual({
    'a>gate/b': 'plain',
    'gate/b>b': 'plain',
  });
});

test('dependencies that only the older revision has come last', () => {
  const nodes = [ticket('a', ['b'], { needChanges: { b: 'removed' } }), ticket('b'), ticket('c', ['a'])];
  const edges = drawnEdges(nodes, planGraph(nodes));
  expect(edges.map(({ id, look }) => [id, look])).toEqual([
    ['a>c', 'plain'],
    ['b>a', 'removed'],
  ]);
});

test('the longest path goes through a step in which nobody works', () => {
  const graph = planGraph([
    ticket('a'),
    ticket('b', ['a']),
    ticket('collect', ['b']),
    ticket('s', ['collect']),
  ]);
  expect([...criticalEdges(graph, ['a', 'b', 's', 'gone'])]).toEqual(['a>b', 'b>collect', 'collect>s']);
});
