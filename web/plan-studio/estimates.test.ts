import { expect, test } from 'bun:test';
import * as core from '../../core-wasm/core.ts';
import { editTicket } from './draft-edits.ts';
import { proposal, ticket } from './draft-fixture.ts';
import { estimateOf, widestNode } from './estimates.ts';

const histories = { dev: { costMicros: [10, 20, 30, 40], durationMs: [100, 200, 300, 400] } };
const plan = proposal([ticket('a'), ticket('b', { role: 'qa', needs: ['a'] })]);

test('the estimate is the core’s own, and computed once for a shape', () => {
  const estimate = estimateOf(core, plan, histories);
  expect(estimate).toEqual(core.estimate(core.estimateNodes(plan), histories));
  expect(estimateOf(core, editTicket(plan, 'a', { title: 'Other' }), histories)).toBe(estimate);
  expect(estimateOf(core, editTicket(plan, 'b', { role: 'dev' }), histories)).not.toBe(estimate);
});

test('unknown nodes make a lower bound, never a made-up number', () => {
  const estimate = estimateOf(core, plan, histories)!;
  expect(estimate.cost.atLeast).toBe(true);
  expect(estimate).toMatchObject({ knownNodes: 2, unknownNodes: 1 });
  expect(estimateOf(core, plan, {})).toMatchObject({ cost: { sumOfQuartiles: null }, knownNodes: 0 });
});

test('a circle has no estimate', () => {
  expect(estimateOf(core, editTicket(plan, 'a', { needs: ['b'] }), histories)).toBeNull();
});

test('the most uncertain node is the widest known one', () => {
  const wide = { ...histories, qa: { costMicros: [1], durationMs: [1, 5_000, 9_000] } };
  expect(widestNode(estimateOf(core, plan, wide)!)).toBe('ticket/b');
  expect(widestNode(estimateOf(core, plan, {})!)).toBeNull();
});
