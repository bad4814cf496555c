import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  compilePlan,
  DEFAULT_PLAN_BUDGET_MICROS,
  materialize,
  type ProposalFaultCode,
  planOf,
  validatePlan,
  validateProposal,
} from './core.ts';
import { withoutUnseen } from './unseen.ts';

type Input = Record<string, unknown>;

const node = (key: string, needs: string[] = [], fields: Input = {}): Input => ({
  ...{ key, title: key, description: 'd', needs },
  ...fields,
});
const planWith = (...nodes: Input[]): Input => ({ goal: 'Ship it', nodes });

function faults(input: unknown): [string, ProposalFaultCode][] {
  const result = validatePlan(input);
  if (result.ok) return [];
  for (const { message } of result.faults) {
    expect(message.length).toBeGreaterThan(5);
    expect(message).not.toContain('ticket');
  }
  return result.faults.map(({ path, code }) => [path, code]);
}

function soundPlan(input: unknown) {
  const result = validatePlan(input);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.plan;
}

/** Nodes in an order of their own, each needing some of those that are before it in another. */
const plans = fc
  .array(
    fc.record({
      key: fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,4})?$/),
      title: fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
        .map((text) => withoutUnseen(`t${text}`)),
      description: fc.string({ unit: 'binary', maxLength: 80 }).map((text) => `d${text}`),
      wants: fc.array(fc.nat(), { maxLength: 4 }),
      rank: fc.nat(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((drafts) => {
    const distinct = drafts.filter(({ key }, i) => drafts.findIndex((other) => other.key === key) === i);
    return {
      goal: 'Ship it',
      nodes: distinct
        .map(({ key, title, description, wants, rank }, i) => {
          const needs = new Set(i === 0 ? [] : wants.map((want) => distinct[want % i]!.key));
          return { rank, node: { key, title, description, needs: [...needs] } };
        })
        .toSorted((a, b) => a.rank - b.rank)
        .map((entry) => entry.node),
    };
  });

test('a plan compiles to a sound proposal of one role, and is read back from it as it was', () => {
  const agents = fc.stringMatching(/^[a-z]{1,20}$/);
  const budgets = fc.option(fc.integer({ min: 1, max: 1e9 }));
  fc.assert(
    fc.property(plans, agents, budgets, (input, agent, budgetMicros) => {
      const plan = soundPlan({ ...input, budgetMicros });
      const proposal = compilePlan({ ...plan, agent });
      expect(validateProposal(proposal)).toEqual({ ok: true, proposal });
      expect(planOf(proposal)).toEqual({ goal: plan.goal, nodes: plan.nodes });
      expect(compilePlan({ ...planOf(proposal), agent, budgetMicros })).toEqual(proposal);
      expect(proposal.roles.map((role) => role.agent)).toEqual([{ existing: agent }]);
      expect(proposal.budgetMicros).toBe(budgetMicros ?? DEFAULT_PLAN_BUDGET_MICROS);
    }),
    { numRuns: 500 },
  );
});

test('each node becomes a step that works, after those that it needs', () => {
  fc.assert(
    fc.property(plans, (input) => {
      const proposal = compilePlan({ ...soundPlan(input), agent: 'ann' });
      const { steps } = materialize(proposal, [{ key: proposal.roles[0]!.key, agentId: 'agt_1' }]);
      const at = new Map(steps.map((step, i) => [step.key, i]));
      expect(steps.length).toBe(input.nodes.length + 4);
      for (const { key, needs } of input.nodes) {
        const step = steps[at.get(`ticket/${key}`)!]!;
        expect(step).toMatchObject({ kind: 'ticket', mode: 'chat', agentId: 'agt_1' });
        expect(step.needs).toEqual(
          needs.length === 0 ? ['start'] : needs.map((one) => `ticket/${one}`).sort(),
        );
        for (const need of step.needs) expect(at.get(need)!).toBeLessThan(at.get(step.key)!);
      }
    }),
    { numRuns: 200 },
  );
});

const SINGLE: [string, Input, string, ProposalFaultCode][] = [
  ['a need of itself', planWith(node('a', ['a'])), 'nodes[0].needs[0]', 'self_dependency'],
  ['a cycle of two', planWith(node('a', ['b']), node('b', ['a'])), 'nodes[1].needs[0]', 'cycle'],
  [
    'a cycle of three',
    planWith(node('a', ['c']), node('b', ['a']), node('c', ['b'])),
    'nodes[1].needs[0]',
    'cycle',
  ],
  ['a dangling need', planWith(node('a', ['ghost'])), 'nodes[0].needs[0]', 'unknown_key'],
  ['a need twice', planWith(node('a'), node('b', ['a', 'a'])), 'nodes[1].needs[1]', 'duplicate_key'],
  ['a key twice', planWith(node('a'), node('a')), 'nodes[1].key', 'duplicate_key'],
  ['no nodes', planWith(), 'nodes', 'empty'],
  ['an empty description', planWith(node('a', [], { description: ' ' })), 'nodes[0].description', 'empty'],
  ['an odd field', planWith(node('a', [], { role: 'dev' })), 'nodes[0].role', 'invalid'],
  ['no goal', { ...planWith(node('a')), goal: '' }, 'goal', 'empty'],
  ['a budget of nothing', { ...planWith(node('a')), budgetMicros: 0 }, 'budgetMicros', 'invalid'],
  [
    'too many nodes',
    planWith(...Array.from({ length: 1001 }, (_, i) => node(`n${i}`))),
    'nodes',
    'too_large',
  ],
];

test.each(SINGLE)('%s is one fault at its place', (_, input, path, code) => {
  expect(faults(input)).toEqual([[path, code]]);
});

test('keys that differ only in case are named beside what is wrong with their form', () => {
  expect(faults(planWith(node('api'), node('API'))).sort()).toEqual([
    ['nodes[1].key', 'case_collision'],
    ['nodes[1].key', 'invalid'],
  ]);
});

test('every fault is named at once', () => {
  const input = {
    ...planWith(node('a', ['b', 'zz']), node('b', ['a'], { title: '' }), node('b')),
    budgetMicros: -1,
    extra: true,
  };
  expect(faults(input).sort()).toEqual([
    ['budgetMicros', 'invalid'],
    ['extra', 'invalid'],
    ['nodes[0].needs[1]', 'unknown_key'],
    ['nodes[1].needs[0]', 'cycle'],
    ['nodes[1].title', 'empty'],
    ['nodes[2].key', 'duplicate_key'],
  ]);
});

test('hostile input is refused, never thrown', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }), (input) => {
      expect(faults(input).length).toBeGreaterThan(0);
      expect(faults({ goal: 'x', nodes: input }).length).toBeGreaterThan(0);
    }),
    { numRuns: 1000 },
  );
});

test('the largest plan that passes compiles to a sound proposal', () => {
  const filled = (bytes: number) =>
    planWith(
      ...Array.from({ length: 1000 }, (_, i) =>
        node(`n${i}`, [], { description: 'x'.repeat(i === 0 ? bytes : 1900) }),
      ),
    );
  let [fits, tooMuch] = [1, 200_000];
  while (tooMuch - fits > 1) {
    const middle = (fits + tooMuch) >> 1;
    if (validatePlan(filled(middle)).ok) fits = middle;
    else tooMuch = middle;
  }
  expect(faults(filled(tooMuch))[0]?.[1]).toBe('too_large');
  const proposal = compilePlan({ ...soundPlan(filled(fits)), agent: 'x'.repeat(200) });
  expect(validateProposal(proposal).ok).toBe(true);
});
