import { expect, test } from 'bun:test';
import { CoreError, materialize, type Proposal, pipelineJson, validateProposal } from './core.ts';
import { Generator } from './reference/generate.ts';
import { referenceMaterialize } from './reference/materialize.ts';

const RUNS = 2000;

function ticket(key: string, needs: string[]): Proposal['tickets'][number] {
  return { key, title: key, description: 'd', role: 'dev', needs, outputSchema: null, references: [] };
}

function proposalOf(tickets: Proposal['tickets']): Proposal {
  return {
    ...{ goal: 'g', research: null, discussion: null, tickets, budgetMicros: 1 },
    roles: [{ key: 'dev', title: 'Dev', agent: { existing: 'Ann' } }],
    synthesis: { role: 'dev', brief: 's' },
  };
}

const DEV = [{ key: 'dev', agentId: 'agent_1' }];

test('gives the reference byte for byte, and the same bytes twice', () => {
  const generator = new Generator(1);
  for (let i = 0; i < RUNS; i++) {
    const { proposal, roles } = generator.plan(20);
    const bytes = pipelineJson(materialize(proposal, roles));
    expect(bytes).toBe(pipelineJson(referenceMaterialize(proposal, roles)));
    expect(bytes).toBe(pipelineJson(materialize(structuredClone(proposal), roles)));
  }
});

test('does not depend on the order of tickets, needs, roles and fields', () => {
  const generator = new Generator(2);
  for (let i = 0; i < RUNS; i++) {
    const { proposal, roles } = generator.plan(12);
    const turned = (value: object): object => Object.fromEntries(generator.shuffled(Object.entries(value)));
    const tickets = proposal.tickets.map((entry) => ({
      ...(turned(entry) as typeof entry),
      needs: generator.shuffled(entry.needs),
      outputSchema: entry.outputSchema && (turned(entry.outputSchema) as Record<string, unknown>),
    }));
    const shuffled = {
      ...(turned(proposal) as Proposal),
      tickets: generator.shuffled(tickets),
      roles: generator.shuffled(proposal.roles),
    };
    expect(pipelineJson(materialize(shuffled, generator.shuffled(roles)))).toBe(
      pipelineJson(materialize(proposal, roles)),
    );
  }
});

test('has the shape start, research, positions, tickets, collect, synthesis, deliver', () => {
  const proposal: Proposal = {
    ...proposalOf([ticket('b', ['a']), ticket('a', []), ticket('c', [])]),
    research: { role: 'dev', brief: 'look' },
    discussion: { question: 'how?' },
  };
  const { steps } = materialize(proposal, DEV);
  const shape = steps.map(({ key, needs, inputs, mode, wave }) => [key, needs, inputs, mode, wave]);
  const feed = ['position/dev', 'research'];
  expect(shape).toEqual([
    ['start', [], [], null, 0],
    ['research', ['start'], [], 'review', 1],
    ['position/dev', ['research'], ['research'], 'review', 2],
    ['ticket/a', ['position/dev'], feed, 'chat', 3],
    ['ticket/c', ['position/dev'], feed, 'chat', 3],
    ['ticket/b', ['ticket/a'], ['research', 'ticket/a'], 'chat', 4],
    ['collect', ['ticket/a', 'ticket/b', 'ticket/c'], ['ticket/a', 'ticket/b', 'ticket/c'], null, 5],
    ['synthesis', ['collect'], ['collect', 'research'], 'review', 6],
    ['deliver', ['synthesis'], ['synthesis'], null, 7],
  ]);
  expect(steps.filter((step) => step.tolerateFailure).map((step) => step.key)).toEqual(['collect']);
  expect(steps.filter((step) => !step.idempotent).map((step) => step.kind)).toEqual([
    'ticket',
    'ticket',
    'ticket',
  ]);
  expect(steps.find((step) => step.kind === 'synthesis')?.outputSchema).toMatchObject({
    required: ['deliverable', 'gaps'],
  });
});

test('its bytes are JSON of the same pipeline', () => {
  const { proposal, roles } = new Generator(9).plan(30);
  const pipeline = materialize(proposal, roles);
  expect(JSON.parse(pipelineJson(pipeline))).toEqual(JSON.parse(JSON.stringify(pipeline)));
});

test('refuses a cycle with the whole path, unknown keys and roles without an agent', () => {
  const attempt = (tickets: Proposal['tickets'], roles = DEV): unknown => {
    try {
      return materialize(proposalOf(tickets), roles);
    } catch (error) {
      return error;
    }
  };
  expect(attempt([ticket('a', ['b']), ticket('b', ['a'])])).toMatchObject({
    ...{ name: 'CoreError', code: 'CYCLE', detail: 'ticket/a → ticket/b → ticket/a' },
  });
  for (const error of [
    attempt([ticket('a', ['nope'])]),
    attempt([ticket('a', []), ticket('a', [])]),
    attempt([ticket('a', [])], []),
    attempt([ticket('a', [])], [...DEV, ...DEV]),
  ]) {
    expect(error).toBeInstanceOf(CoreError);
    expect((error as CoreError).code).toBe('BAD_ARGUMENT');
  }
});

test('takes every proposal that validation lets through', () => {
  const generator = new Generator(4);
  for (let i = 0; i < 300; i++) {
    const { proposal, roles } = generator.plan(20);
    const checked = validateProposal(proposal);
    if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
    expect(materialize(checked.proposal, roles).steps.length).toBeGreaterThan(4);
  }
});
