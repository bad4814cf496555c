import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { AgentActivity } from './activities-port.ts';
import { changeSince, type PresenceItem, presenceList } from './presence-list.ts';

const member = (id: string) => ({ id, name: `Name of ${id}`, role: 'operator' as const, createdAt: 1 });
const agent = (id: string) => ({ id, name: `name-${id}`, title: `Title of ${id}` });
const activity = (change: Partial<AgentActivity>): AgentActivity => ({
  ...{ agentId: 'agt_1', state: 'thinking', tool: null, runId: 'run_1', conversationId: 'cnv_1' },
  ...{ spaceId: 'spc_1', approvalId: null, since: 10 },
  ...change,
});

describe('the list', () => {
  test('people in the order they came, then agents by name; nobody whom no member stands for', () => {
    const people = [
      { memberId: 'mem_2', since: 20, decides: true, focus: ['space:spc_1'] },
      { memberId: 'mem_stranger', since: 1, decides: true, focus: [] },
      { memberId: 'mem_1', since: 10, decides: false, focus: [] },
    ];
    const items = presenceList({
      ...{ people, members: [member('mem_1'), member('mem_2')], activities: [activity({})] },
      agents: [agent('agt_2'), agent('agt_1')],
    });
    expect(items).toEqual([
      ...[
        {
          actor: 'person:mem_1',
          kind: 'person',
          memberId: 'mem_1',
          name: 'Name of mem_1',
          role: 'operator',
          since: 10,
        } as const,
        {
          actor: 'person:mem_2',
          kind: 'person',
          memberId: 'mem_2',
          name: 'Name of mem_2',
          role: 'operator',
          since: 20,
        } as const,
      ].map((item, i) => ({ ...item, decides: i === 1, focus: i === 1 ? ['space:spc_1'] : [] })),
      {
        ...{ actor: 'agent:agt_1', kind: 'agent', name: 'name-agt_1', title: 'Title of agt_1' },
        ...{ activity: activity({}), also: [] },
      },
      {
        ...{ actor: 'agent:agt_2', kind: 'agent', name: 'name-agt_2', title: 'Title of agt_2' },
        ...{ activity: { state: 'neverRun' }, also: [] },
      },
    ] as PresenceItem[]);
  });

  test('what agents are about is unknown while runs is away, and not that they never ran', () => {
    const [item] = presenceList({ people: [], members: [], agents: [agent('agt_1')], activities: null });
    expect(item).toMatchObject({ activity: null, also: [] });
  });

  test('of several runs the one at work stands first, one that waits for its sub-agent after those that ask', () => {
    const runs = [
      activity({ runId: 'run_paused', state: 'paused' }),
      activity({ runId: 'run_parent', state: 'runningTool', tool: 'run_subagent' }),
      activity({ runId: 'run_asks', state: 'waitingForApproval', approvalId: 'apr_1' }),
      activity({ runId: 'run_old', state: 'thinking', since: 5 }),
      activity({ runId: 'run_new', state: 'runningTool', tool: 'read_file', since: 30 }),
    ];
    const [item] = presenceList({ people: [], members: [], agents: [agent('agt_1')], activities: runs });
    if (item?.kind !== 'agent') throw new Error('no agent');
    expect([item.activity, ...item.also].map((one) => (one as AgentActivity).runId)).toEqual([
      ...['run_new', 'run_old', 'run_asks', 'run_parent', 'run_paused'],
    ]);
  });
});

describe('changes', () => {
  const items = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 0, max: 6 }), since: fc.integer({ min: 0, max: 3 }) }),
    { selector: ({ id }) => id },
  );
  const listOf = (people: { id: number; since: number }[]) =>
    presenceList({
      people: people.map(({ id, since }) => ({ memberId: `mem_${id}`, since, decides: false, focus: [] })),
      members: [0, 1, 2, 3, 4, 5, 6].map((id) => member(`mem_${id}`)),
      ...{ agents: [], activities: [] },
    });

  test('whoever takes each change has what is there, and nothing is told twice', () => {
    fc.assert(
      fc.property(fc.array(items, { maxLength: 8 }), (states) => {
        const seen = new Map<string, string>();
        const held = new Map<PresenceItem['actor'], PresenceItem>();
        for (const state of states) {
          const list = listOf(state);
          const change = changeSince(seen, list);
          for (const item of change?.changed ?? []) {
            expect(held.get(item.actor)).not.toEqual(item);
            held.set(item.actor, item);
          }
          for (const actor of change?.gone ?? []) expect(held.delete(actor)).toBe(true);
          expect(new Map(list.map((item) => [item.actor, item]))).toEqual(held);
          expect(changeSince(seen, list)).toBeNull();
        }
      }),
    );
  });
});
