import { expect, test } from 'bun:test';
import { type Estimate, estimate, estimateNodes } from '../../../core-wasm/core.ts';
import { noPaint } from '../paint.ts';
import { sampleProposal, unknownEstimate } from '../testing/sample.ts';
import { estimateLines } from './estimate.ts';
import { proposalTree } from './proposal-tree.ts';

const view = { id: 'orc_1', revision: 2, proposal: sampleProposal, estimate: unknownEstimate };

test('a proposal is a tree with roles, dependencies, budget and estimate', () => {
  expect(proposalTree(view, noPaint).split('\n')).toEqual([
    'Proposal orc_1, revision 2',
    '',
    'Goal',
    '  Add a health endpoint',
    '',
    'Roles',
    '  lead Lead: agent architect',
    '  dev Developer: to be hired as fixer with the skills tdd',
    '',
    'Plan',
    '  ├─ Research  [lead]  estimate: unknown',
    '  ├─ Discussion: Which path?',
    '  │  ├─ Position  [lead]  estimate: unknown',
    '  │  └─ Position  [dev]  estimate: unknown',
    '  ├─ api Write the route  [dev]  estimate: unknown',
    '  │  └─ docs Describe it  [lead]  estimate: unknown',
    '  │     └─ tests Test it  [dev]  also after api  estimate: unknown',
    '  └─ Synthesis  [lead]  after all tickets  estimate: unknown',
    '',
    'Budget    $5.00',
    'Estimate',
    "  Cost      unknown  (sum of the steps' quartiles)",
    '            unknown  (simulated p25–p75 of the whole plan)',
    "  Duration  unknown  (longest path of the steps' quartiles)",
    '            unknown  (simulated p25–p75 of the whole plan)',
    '  No role has completed a run yet, so nothing can be estimated.',
  ]);
});

test('each ticket stands in the tree once, whatever it depends on', () => {
  const tickets = Array.from({ length: 1_000 }, (_, i) => ({
    key: `t-${i}`,
    title: 'Do it',
    description: 'Do it',
    role: 'dev',
    needs: i === 0 ? [] : [`t-${i - 1}`, ...(i > 1 ? [`t-${i - 2}`] : [])],
    outputSchema: null,
    references: [],
  }));
  const text = proposalTree({ ...view, proposal: { ...sampleProposal, tickets } }, noPaint);
  for (const { key } of [tickets[0], tickets[500], tickets[999]].filter((one) => one !== undefined)) {
    expect(text.split('\n').filter((line) => line.includes(`─ ${key} `)).length).toBe(1);
  }
});

test('what an agent wrote cannot steer the terminal', () => {
  const hostile = { ...sampleProposal, goal: 'Good\u001b[2J\u001b]0;owned\u0007 goal' };
  const text = proposalTree({ ...view, proposal: hostile }, noPaint);
  expect(text).toContain('Good␛[2J␛]0;owned␇ goal');
  expect(text).not.toContain('\u001b');
});

test('an estimate with unknown parts is at least what is known, and says which part is missing', () => {
  const costMicros = [10_000, 20_000, 30_000, 40_000];
  const durationMs = [1_000, 2_000, 3_000, 4_000];
  const partial = estimate(estimateNodes(sampleProposal), { dev: { costMicros, durationMs } });
  const lines = estimateLines(partial);
  expect(lines[0]).toMatch(/^Cost {6}at least \$0\.\d+–\$0\.\d+ {2}\(sum of the steps' quartiles\)$/);
  expect(lines[1]).toMatch(/at least .*\(simulated p25–p75 of the whole plan\)$/);
  expect(lines[2]).toMatch(/^Duration {2}at least .*\(longest path of the steps' quartiles\)$/);
  expect(lines.at(-1)).toBe('4 steps of 7 without history: unknown, left out of the totals.');
});

test('an estimate of known parts only is no lower bound', () => {
  const known: Estimate = {
    ...unknownEstimate,
    cost: {
      sumOfQuartiles: { p25: 10_000, p75: 20_000 },
      simulated: { p25: 12_000, p75: 18_000 },
      atLeast: false,
    },
    duration: { longestPath: { p25: 1_000, p75: 2_000 }, simulated: null, atLeast: false },
    knownNodes: 7,
    unknownNodes: 0,
    criticalPath: ['start', 'synthesis'],
  };
  expect(estimateLines(known)).toEqual([
    "Cost      $0.010–$0.020  (sum of the steps' quartiles)",
    '          $0.012–$0.018  (simulated p25–p75 of the whole plan)',
    "Duration  1.0 s–2.0 s  (longest path of the steps' quartiles)",
    '          unknown  (simulated p25–p75 of the whole plan)',
    'Longest path: start → synthesis',
  ]);
});
