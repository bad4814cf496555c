import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { PROPOSAL_JSON_SCHEMA, type ProposalFaultCode, validateProposal } from './core.ts';

type Input = Record<string, unknown>;

const ticket = (key: string, fields: Input = {}): Input => ({
  key,
  title: key,
  description: 'd',
  role: 'dev',
  ...fields,
});

const sound = (fields: Input = {}): Input => ({
  goal: 'Ship it',
  roles: [
    { key: 'dev', title: 'Developer', agent: { existing: 'Ann' } },
    { key: 'qa', title: 'Tester', agent: { hire: { name: 'tester', persona: 'Careful' } } },
  ],
  tickets: [ticket('a'), ticket('b', { needs: ['a'] })],
  synthesis: { role: 'qa', brief: 'Sum up' },
  budgetMicros: 1_000_000,
  ...fields,
});

function faults(input: unknown): [string, ProposalFaultCode][] {
  const result = validateProposal(input);
  if (result.ok) return [];
  for (const { message } of result.faults) expect(message.length).toBeGreaterThan(5);
  return result.faults.map(({ path, code }) => [path, code]);
}

test('fills in what may be left out', () => {
  const result = validateProposal(sound());
  expect(result).toMatchObject({
    ok: true,
    proposal: {
      ...{ research: null, discussion: null },
      roles: [{}, { agent: { hire: { skills: [] } } }],
      tickets: [{ needs: [], references: [], outputSchema: null }, { needs: ['a'] }],
    },
  });
});

const SINGLE: [string, Input, string, ProposalFaultCode][] = [
  ['unknown need', { tickets: [ticket('a', { needs: ['x'] })] }, 'tickets[0].needs[0]', 'unknown_key'],
  ['need of itself', { tickets: [ticket('a', { needs: ['a'] })] }, 'tickets[0].needs[0]', 'self_dependency'],
  [
    'need twice',
    { tickets: [ticket('b'), ticket('a', { needs: ['b', 'b'] })] },
    'tickets[1].needs[1]',
    'duplicate_key',
  ],
  ['key twice', { tickets: [ticket('a'), ticket('a')] }, 'tickets[1].key', 'duplicate_key'],
  ['unknown role', { tickets: [ticket('a', { role: 'x' })] }, 'tickets[0].role', 'unknown_role'],
  ['unknown synthesis role', { synthesis: { role: 'x', brief: 'b' } }, 'synthesis.role', 'unknown_role'],
  ['unknown research role', { research: { role: 'x', brief: 'b' } }, 'research.role', 'unknown_role'],
  ['no tickets', { tickets: [] }, 'tickets', 'empty'],
  ['empty goal', { goal: '  ' }, 'goal', 'empty'],
  ['long goal', { goal: 'x'.repeat(8001) }, 'goal', 'too_large'],
  ['no budget', { budgetMicros: 0 }, 'budgetMicros', 'invalid'],
  ['broken budget', { budgetMicros: 0.5 }, 'budgetMicros', 'invalid'],
  ['odd field', { extra: 1 }, 'extra', 'invalid'],
  ['odd field of a ticket', { tickets: [ticket('a', { weight: 1 })] }, 'tickets[0].weight', 'invalid'],
  [
    'too many tickets',
    { tickets: Array.from({ length: 1001 }, (_, i) => ticket(`t${i}`)) },
    'tickets',
    'too_large',
  ],
  [
    'schema with a function',
    { tickets: [ticket('a', { outputSchema: { f: () => 1 } })] },
    'tickets[0].outputSchema.f',
    'invalid',
  ],
];

test.each(SINGLE)('%s is one fault at its place', (_, fields, path, code) => {
  expect(faults(sound(fields))).toEqual([[path, code]]);
});

test('every fault is named at once, those of the shape beside those of the graph', () => {
  const input = sound({
    goal: '',
    roles: [
      { key: 'dev', title: 'D', agent: { existing: 'Ann' } },
      { key: 'Dev', title: 'D', agent: { hire: { name: 'ann', persona: 'p' } } },
      { key: 'dev', title: 'D', agent: { hire: { name: 'Not A Slug', persona: 'p' } } },
    ],
    tickets: [
      ticket('a', { needs: ['c', 'a', 'zz'] }),
      ticket('b', { needs: ['a'], role: 'nobody' }),
      ticket('c', { needs: ['b'] }),
      ticket('d', { needs: ['e'], title: '' }),
      ticket('e', { needs: ['d'] }),
    ],
    budgetMicros: -1,
    extra: true,
  });
  expect(faults(input).sort()).toEqual(
    (
      [
        ['goal', 'empty'],
        ['roles[1].key', 'invalid'],
        ['roles[1].key', 'case_collision'],
        ['roles[1].agent.hire.name', 'case_collision'],
        ['roles[2].key', 'duplicate_key'],
        ['roles[2].agent.hire.name', 'invalid'],
        ['tickets[0].needs[1]', 'self_dependency'],
        ['tickets[0].needs[2]', 'unknown_key'],
        ['tickets[1].needs[0]', 'cycle'],
        ['tickets[1].role', 'unknown_role'],
        ['tickets[3].title', 'empty'],
        ['tickets[4].needs[0]', 'cycle'],
        ['synthesis.role', 'unknown_role'],
        ['budgetMicros', 'invalid'],
        ['extra', 'invalid'],
      ] as [string, ProposalFaultCode][]
    ).sort(),
  );
});

test('a cycle is described with its keys, and taking out the named needs leaves none', () => {
  const result = validateProposal(
    sound({
      tickets: [ticket('a', { needs: ['b'] }), ticket('b', { needs: ['c'] }), ticket('c', { needs: ['a'] })],
    }),
  );
  expect(result).toMatchObject({ ok: false, faults: [{ path: 'tickets[2].needs[0]', code: 'cycle' }] });
  expect(result.ok ? '' : result.faults[0]!.message).toContain('a → b → c → a');
  const needs = fc.array(fc.array(fc.nat({ max: 7 }), { maxLength: 4 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(needs, (rows) => {
      const tickets = rows.map((row, i) => ticket(`t${i}`, { needs: row.map((need) => `t${need}`) }));
      const wrong = new Set(faults(sound({ tickets })).map(([path]) => path));
      const mended = tickets.map((entry, i) => ({
        ...entry,
        needs: (entry.needs as string[]).filter((_, j) => !wrong.has(`tickets[${i}].needs[${j}]`)),
      }));
      expect(faults(sound({ tickets: mended }))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

test('an existing agent may fill two roles, a hire may not take a name in use', () => {
  const role = (key: string, agent: Input): Input => ({ key, title: key, agent });
  const roles = [role('dev', { existing: 'Ann' }), role('qa', { existing: 'Ann' })];
  expect(faults(sound({ roles }))).toEqual([]);
  const hire = { hire: { name: 'bob', persona: 'p' } };
  expect(faults(sound({ roles: [role('dev', hire), role('qa', hire)] }))).toEqual([
    ['roles[1].agent.hire.name', 'duplicate_key'],
  ]);
});

test('hostile input is refused, never thrown', () => {
  const deep: Input = {};
  let level = deep;
  for (let i = 0; i < 100_000; i++) level = level.x = {};
  const round: Input = sound();
  round.self = round;
  const throwing = {
    get goal(): string {
      throw new Error('no');
    },
  };
  const polluted: unknown = JSON.parse('{"__proto__": {"goal": "x"}}');
  const hostile = [
    undefined,
    null,
    1,
    'x',
    [],
    () => 1,
    Symbol('x'),
    1n,
    deep,
    round,
    throwing,
    polluted,
    new Date(),
    new Map(),
  ];
  for (const input of hostile) expect(faults(input).length).toBeGreaterThan(0);
  expect(faults(sound({ goal: 'x'.repeat(5_000_000) }))).toEqual([['goal', 'too_large']]);
  expect(faults(sound({ tickets: [ticket('a', { outputSchema: deep })] }))[0]?.[1]).toBe('too_large');
  expect(faults(sound({ goal: 'lone \ud83d surrogate' }))).toEqual([]);
  expect(faults(sound({ tickets: [ticket('\ud83d')] }))).toEqual([['tickets[0].key', 'invalid']]);
  fc.assert(
    fc.property(
      fc.anything({ withBigInt: true, withMap: true, withSparseArray: true, withNullPrototype: true }),
      (input) => {
        expect(faults(input).length).toBeGreaterThan(0);
        expect(faults(sound({ tickets: input, roles: input })).length).toBeGreaterThan(0);
      },
    ),
    { numRuns: 2000 },
  );
});

test('the text limit counts UTF-8 bytes', () => {
  const filled = (text: string): Input =>
    sound({
      tickets: Array.from({ length: 11 }, (_, i) => ticket(`t${i}`, { description: text.repeat(99_000) })),
    });
  expect(faults(filled('x'))).toEqual([]);
  expect(faults(filled('é')).map(([, code]) => code)).toEqual(['too_large']);
});

test('the JSON schema lets the defaults be left out and refuses odd fields', () => {
  expect(PROPOSAL_JSON_SCHEMA).toMatchObject({
    type: 'object',
    additionalProperties: false,
    required: ['goal', 'roles', 'tickets', 'synthesis', 'budgetMicros'],
  });
});
