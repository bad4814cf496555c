import { expect, test } from 'bun:test';
import type { AgentFacts } from '../peers/spaces-port.ts';
import { namesOf } from './names.ts';

const agent = (id: string, name: string) => ({ id, name }) as AgentFacts;
const nameOf = await namesOf(
  {
    agents: async () => [agent('agt_1', 'engineer'), agent('agt_2', 'ceo')],
    people: async () => [
      { id: 'mem_1', name: 'Mara', isFormer: false },
      { id: 'mem_2', name: 'Ada', isFormer: false },
      { id: 'mem_3', name: 'ada', isFormer: true },
      { id: 'mem_4', name: 'Bob', isFormer: true },
      { id: 'mem_5', name: 'Engineer', isFormer: false },
      { id: 'mem_6', name: 'Bob (former member)', isFormer: false },
      { id: 'mem_7', name: 'ad\u0061\ufe0f', isFormer: false },
    ],
  },
  'ws_1',
);

test.each([
  ['agent:agt_1', 'engineer'],
  ['agent:agt_2', 'ceo'],
  ['person:mem_1', 'Mara'],
  ['person:mem_2', 'Ada (mem_2)'],
  ['person:mem_3', 'ada (mem_3, former member)'],
  ['person:mem_4', 'Bob (former member)'],
  ['person:mem_5', 'Engineer (mem_5)'],
  ['person:mem_6', 'Bob (former member) (mem_6)'],
  ['person:mem_7', 'ada\ufe0f (mem_7)'],
  ['person:mem_9', 'person:mem_9'],
  ['service:runs', 'service:runs'],
])('%s is called %s', (actor, name) => {
  expect(nameOf(actor)).toBe(name);
});
