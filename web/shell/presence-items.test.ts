import { expect, test } from 'bun:test';
import type { PresenceItem } from '../../services/spaces/presence/presence-list.ts';
import { type AgentHere, busySpaces, changed, isAtWork } from './presence-items.ts';

type Activity = NonNullable<AgentHere['activity']>;

const person = (id: string, since: number) =>
  ({ actor: `person:${id}`, kind: 'person', name: id, role: 'owner', since, decides: true }) as PresenceItem;
const about = (state: string, spaceId: string | null = null) =>
  ({ state, spaceId, tool: null, runId: 'run_1', conversationId: null, since: 0 }) as Activity;
const agent = (name: string, activity: AgentHere['activity'], also: Activity[] = []) =>
  ({ actor: `agent:${name}`, kind: 'agent', name, title: name, activity, also }) as unknown as AgentHere;

test('a change keeps people in the order they came, and agents by name after them', () => {
  const before = [person('a', 1), agent('zoe', null)];
  const after = changed(before, {
    changed: [agent('ann', about('thinking')), person('b', 0)],
    gone: ['agent:zoe'],
  });
  expect(after.map(({ actor }) => actor)).toEqual(['person:b', 'person:a', 'agent:ann']);
});

test('an item that changes replaces the one before', () => {
  const [after] = changed([agent('ann', about('thinking'))], {
    changed: [agent('ann', about('done'))],
    gone: [],
  });
  expect((after as AgentHere).activity?.state).toBe('done');
});

test('a space is busy while an agent works there, in its main run or another', () => {
  const items = [
    agent('a', about('runningTool', 'spc_1')),
    agent('b', about('waitingForApproval', 'spc_2'), [about('thinking', 'spc_3')]),
    agent('c', { state: 'neverRun' } as Activity),
    agent('d', null),
  ];
  expect([...busySpaces(items)].sort()).toEqual(['spc_1', 'spc_3']);
  expect(items.map(isAtWork)).toEqual([true, false, false, false]);
});
