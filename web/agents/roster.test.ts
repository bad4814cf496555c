import { expect, test } from 'bun:test';
import type { Agent } from '../../services/spaces/agents/schema.ts';
import { budgetOf, rosterOf, shownRows } from './roster.ts';

const agent = (name: string, skills: string[] = []): Agent => ({
  ...{ id: `agt_${name}`, name, title: `The ${name}`, persona: '', systemPrompt: null, skills },
  ...{ adapterId: null, modelId: null, effort: null, contextSize: null, silenceTimeoutMinutes: null },
  ...{ maxTurns: null, reportsTo: null, createdAt: 1, updatedAt: 1, version: 1 },
});
const facts = {
  agents: [agent('qa', ['testing']), agent('ceo'), agent('engineer')],
  states: [
    { agentId: 'agt_qa', state: 'failed' as const, runId: 'run_1', errorFamily: 'refused', resumeAt: null },
    { agentId: 'agt_ceo', state: 'idle' as const, runId: 'run_2', errorFamily: null, resumeAt: null },
  ],
  queue: [{ agentId: 'agt_qa' }, { agentId: 'agt_qa' }],
  budgets: [
    {
      ...{ target: 'agent:agt_ceo', capMicros: 5, spentMicros: 3, reservedMicros: 1 },
      ...{ unknownCalls: 2, unknownMicros: 1 },
    },
  ],
  here: [],
};

test('each agent with what is known of it; what is not known is null, not nothing', () => {
  const rows = rosterOf(facts);
  expect(rows.map(({ agent: { name }, state, queued }) => [name, state, queued])).toEqual([
    ['qa', 'failed', 2],
    ['ceo', 'idle', 0],
    ['engineer', null, 0],
  ]);
  expect(rows.map(({ errorFamily }) => errorFamily)).toEqual(['refused', null, null]);
  expect(rosterOf({ ...facts, queue: undefined, budgets: undefined })[0]).toMatchObject({
    queued: null,
    budget: null,
  });
  expect(budgetOf(facts.budgets, 'agent:agt_ceo')).toMatchObject({ capMicros: 5, unknownCalls: 2 });
  expect(budgetOf(facts.budgets, 'agent:agt_qa')).toMatchObject({ capMicros: null, spentMicros: 0 });
});

test('rows are found by words of name, title and skills, and by state', () => {
  const rows = rosterOf(facts);
  const names = (text: string, state: 'failed' | null = null) =>
    shownRows(rows, { text, state, sort: 'name' }).map((row) => row.agent.name);
  expect(names('')).toEqual(['ceo', 'engineer', 'qa']);
  expect(names('the TEST')).toEqual(['qa']);
  expect(names('', 'failed')).toEqual(['qa']);
  expect(names('nobody')).toEqual([]);
});

test('by state those who need a look come first, by cost the dearest', () => {
  const rows = rosterOf(facts);
  const sorted = (sort: 'state' | 'cost') =>
    shownRows(rows, { text: '', state: null, sort }).map((row) => row.agent.name);
  expect(sorted('state')).toEqual(['qa', 'ceo', 'engineer']);
  expect(sorted('cost')).toEqual(['ceo', 'engineer', 'qa']);
});
