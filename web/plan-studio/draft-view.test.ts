import { expect, test } from 'bun:test';
import { estimate, estimateNodes } from '../../core-wasm/core.ts';
import type { StepView } from '../../services/orchestration/orchestrations/orchestration.ts';
import { editTicket } from './draft-edits.ts';
import { proposal, ticket } from './draft-fixture.ts';
import { keepNodes, titleOfNode, viewOf } from './draft-view.ts';

const titles = { research: 'Research', synthesis: 'Synthesis', position: (role: string) => `of ${role}` };
const plan = proposal([ticket('a'), ticket('b', { needs: ['a'] }), ticket('c')], {
  research: { role: 'dev', brief: 'Look.' },
  discussion: { question: 'How?' },
});
const none = { titles, estimate: null, steps: [], deferred: [], isEditable: true };

test('a plan is its working steps, under the keys of its pipeline', () => {
  const { nodes } = viewOf(plan, none);
  expect(nodes.map(({ key, needs }) => [key, needs])).toEqual([
    ['research', []],
    ['position/dev', ['research']],
    ['position/qa', ['research']],
    ['ticket/a', ['position/dev', 'position/qa']],
    ['ticket/b', ['ticket/a']],
    ['ticket/c', ['position/dev', 'position/qa']],
    ['synthesis', ['ticket/b', 'ticket/c']],
  ]);
  expect(nodes.map(({ key }) => key).sort()).toEqual(
    estimateNodes(plan)
      .map(({ key }) => key)
      .sort(),
  );
});

test('sub-tickets alone can be edited', () => {
  const editable = viewOf(plan, none).nodes.filter(({ isReadOnly }) => !isReadOnly);
  expect(editable.map(({ kind }) => kind)).toEqual(['ticket', 'ticket', 'ticket']);
  expect(viewOf(plan, { ...none, isEditable: false }).nodes.every(({ isReadOnly }) => isReadOnly)).toBe(true);
});

test('every node has its estimate and the plan its longest path', () => {
  const known = estimate(estimateNodes(plan), { dev: { costMicros: [5, 7], durationMs: [10, 20] } });
  const view = viewOf(plan, { ...none, estimate: known });
  expect(view.criticalPath).toEqual(known.criticalPath);
  expect(view.nodes.find(({ key }) => key === 'ticket/a')?.estimate?.sampleSize).toBe(2);
  expect(view.nodes.find(({ key }) => key === 'position/qa')?.estimate?.durationMs).toBeNull();
});

test('a deferred sub-ticket is so only until it is decided about', () => {
  const step = (key: string, state: StepView['state']) => ({ key, state }) as StepView;
  const steps = [step('ticket/a', 'blocked'), step('ticket/b', 'blocked'), step('ticket/c', 'parked')];
  const { nodes } = viewOf(plan, { ...none, steps, deferred: ['a'] });
  expect(Object.fromEntries(nodes.map(({ key, status }) => [key, status]))).toMatchObject({
    ...{ 'ticket/a': 'deferred', 'ticket/b': 'pending', 'ticket/c': 'blocked', synthesis: null },
  });
});

test('a circle is drawn and not fallen over', () => {
  const circle = proposal([ticket('a', { needs: ['b'] }), ticket('b', { needs: ['a'] })]);
  expect(viewOf(circle, none).nodes.at(-1)?.needs).toEqual(['ticket/a', 'ticket/b']);
});

test('a node that says the same stays the same object', () => {
  const before = viewOf(plan, none).nodes;
  const kept = keepNodes(before, viewOf(editTicket(plan, 'a', { title: 'New' }), none).nodes);
  expect(kept.filter((node, i) => node !== before[i]).map(({ key }) => key)).toEqual(['ticket/a']);
  expect(titleOfNode(plan, 'position/qa', titles)).toBe('of Tester');
  expect(titleOfNode(plan, 'ticket/none', titles)).toBeNull();
});
