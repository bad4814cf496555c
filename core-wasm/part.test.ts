import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { materialize, type PipelineStep, type Proposal, partOf, pipelineJson } from './core.ts';
import { Generator } from './reference/generate.ts';
import { referenceMaterialize } from './reference/materialize.ts';

const TICKETS = ['ticket/a', 'ticket/b', 'ticket/c', 'ticket/d'];
const seeds = fc.integer({ min: 0, max: 0xffff_ffff });

/** Tickets of a generated plan, and some of them with all that they depend on, found by growing until nothing is added. */
function planAndPart(seed: number) {
  const generator = new Generator(seed);
  const { proposal, roles } = generator.plan(16);
  const approved = new Set(
    proposal.tickets.filter(() => generator.below(3) === 0).map((ticket) => ticket.key),
  );
  for (let before = -1; before !== approved.size; ) {
    before = approved.size;
    for (const { key, needs } of proposal.tickets)
      if (approved.has(key)) for (const need of needs) approved.add(need);
  }
  return { proposal, roles, approved: [...approved] };
}

/** Keys of all steps that start when every step that is no gate succeeds and no gate is ever opened. */
function startedBeforeAnOpening(steps: readonly PipelineStep[]): string[] {
  const done = new Set<string>();
  for (const { key, kind, needs } of steps)
    if (kind !== 'gate' && needs.every((need) => done.has(need))) done.add(key);
  return [...done];
}

test('without deferral the bytes are those of before', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { proposal, roles } = planAndPart(seed);
      const bytes = pipelineJson(referenceMaterialize(proposal, roles));
      expect(pipelineJson(materialize(proposal, roles))).toBe(bytes);
      expect(pipelineJson(materialize(proposal, roles, {}))).toBe(bytes);
      expect(pipelineJson(materialize(proposal, roles, { deferred: [] }))).toBe(bytes);
      expect(bytes).not.toContain('gate');
    }),
    { numRuns: 500 },
  );
});

test('with deferral it gives the reference byte for byte, in whatever order and however often a key is named', () => {
  fc.assert(
    fc.property(seeds, fc.boolean(), (seed, isAny) => {
      const { proposal, roles, approved } = planAndPart(seed);
      const generator = new Generator(seed);
      const keys = proposal.tickets.map(({ key }) => key);
      const deferred = isAny
        ? keys.filter(() => generator.below(2) === 0)
        : keys.filter((key) => !approved.includes(key));
      const bytes = pipelineJson(materialize(proposal, roles, { deferred }));
      expect(bytes).toBe(pipelineJson(referenceMaterialize(proposal, roles, undefined, deferred)));
      const again = generator.shuffled([...deferred, ...deferred]);
      expect(pipelineJson(materialize(proposal, roles, { deferred: again }))).toBe(bytes);
    }),
    { numRuns: 1000 },
  );
});

test('before an opening exactly the approved tickets can start, and with every gate open the plan is as without', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { proposal, roles, approved } = planAndPart(seed);
      const { deferred } = partOf(proposal.tickets, approved);
      const { steps } = materialize(proposal, roles, { deferred });
      const plain = materialize(proposal, roles).steps;
      const late = deferred.length > 0 ? ['collect', 'synthesis', 'deliver'] : [];
      const held = new Set([...deferred.map((key) => `ticket/${key}`), ...late]);
      const wanted = plain.map(({ key }) => key).filter((key) => !held.has(key));
      expect(startedBeforeAnOpening(steps).sort()).toEqual(wanted.sort());
      const ungated = new Map(
        steps.filter(({ kind }) => kind !== 'gate').map(({ wave, ...step }) => [step.key, step]),
      );
      for (const { wave, ...step } of plain) {
        const { needs, ...rest } = ungated.get(step.key)!;
        expect({ ...rest, needs: needs.filter((need) => !need.startsWith('gate/')) }).toEqual(step);
      }
      expect(ungated.size).toBe(plain.length);
    }),
    { numRuns: 1000 },
  );
});

test('a gate waits for what its ticket waits for, and works by itself', () => {
  const { proposal, roles } = new Generator(5).plan(12);
  const deferred = proposal.tickets.map(({ key }) => key);
  const { steps } = materialize(proposal, roles, { deferred });
  const byKey = new Map(steps.map((step) => [step.key, step]));
  for (const key of deferred) {
    const gate = byKey.get(`gate/${key}`)!;
    const { needs, title, inputs } = byKey.get(`ticket/${key}`)!;
    expect(gate).toMatchObject({
      ...{ kind: 'gate', title: `Approval of ${title}`, role: null, agentId: null, mode: null, brief: '' },
      ...{ inputs: [], outputSchema: null, idempotent: true, tolerateFailure: false },
    });
    expect(needs).toEqual([...gate.needs, gate.key].sort());
    expect(inputs).not.toContain(gate.key);
  }
  expect(byKey.get('collect')?.needs.every((key) => key.startsWith('ticket/'))).toBe(true);
});

test('the shape of a plan of which one chain is approved', () => {
  const texts = { title: 'T', description: 'd', role: 'dev', outputSchema: null, references: [] };
  const proposal: Proposal = {
    ...{ goal: 'g', research: { role: 'dev', brief: 'look' }, discussion: null, budgetMicros: 1 },
    roles: [{ key: 'dev', title: 'Dev', agent: { existing: 'Ann' } }],
    tickets: [
      { ...texts, key: 'b', needs: ['a'] },
      { ...texts, key: 'a', needs: [] },
      { ...texts, key: 'c', needs: ['b'] },
      { ...texts, key: 'd', needs: [] },
    ],
    synthesis: { role: 'dev', brief: 's' },
  };
  const { steps } = materialize(proposal, [{ key: 'dev', agentId: 'agt_1' }], { deferred: ['c', 'd'] });
  expect(steps.map(({ key, needs, inputs, wave }) => [key, needs, inputs, wave])).toEqual([
    ['start', [], [], 0],
    ['research', ['start'], [], 1],
    ['gate/d', ['research'], [], 2],
    ['ticket/a', ['research'], ['research'], 2],
    ['ticket/b', ['ticket/a'], ['research', 'ticket/a'], 3],
    ['ticket/d', ['gate/d', 'research'], ['research'], 3],
    ['gate/c', ['ticket/b'], [], 4],
    ['ticket/c', ['gate/c', 'ticket/b'], ['research', 'ticket/b'], 5],
    ['collect', TICKETS, TICKETS, 6],
    ['synthesis', ['collect'], ['collect', 'research'], 7],
    ['deliver', ['synthesis'], ['synthesis'], 8],
  ]);
});

test('a part is judged by all that it depends on, directly or not', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const { proposal, approved } = planAndPart(seed);
      const keys = proposal.tickets.map(({ key }) => key);
      const deferred = keys.filter((key) => !approved.includes(key));
      expect(partOf(proposal.tickets, approved)).toEqual({ deferred, missing: [], unknown: [] });
      const one = proposal.tickets[seed % proposal.tickets.length]!;
      const { missing } = partOf(proposal.tickets, [one.key]);
      expect(missing).toEqual(expect.arrayContaining(one.needs));
      expect(partOf(proposal.tickets, [one.key, ...missing]).missing).toEqual([]);
    }),
    { numRuns: 500 },
  );
  const chain = ['a', 'b', 'c'].map((key, i) => ({ key, needs: i === 0 ? [] : [['a', 'b'][i - 1]!] }));
  expect(partOf(chain, ['c', 'ghost', 'c', 'toString'])).toEqual({
    ...{ deferred: ['a', 'b'], missing: ['a', 'b'], unknown: ['ghost', 'toString'] },
  });
});

test('refuses to defer what is no ticket', () => {
  const { proposal, roles } = new Generator(1).plan(3);
  expect(() => materialize(proposal, roles, { deferred: [proposal.tickets[0]!.key, 'ghost'] })).toThrow(
    'deferred[1]: no ticket "ghost"',
  );
});
