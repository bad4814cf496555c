import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Actor } from '../../kit/actor.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

const directory = temporaryDirectory();
const agent: Actor = 'agent:agt_planner';
const other: Actor = 'agent:agt_other';
let open: OpenSpaces;
let ws: string;
let at: string;
let room: { id: string; mainConversationId: string };

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Plans');
  at = `/workspaces/${ws}`;
});
beforeEach(async () => {
  room = (await open.call('POST', `${at}/spaces`, { name: 'Plan room', mode: 'plan' })).body;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const leave = async (runId = 'run_1', actor: Actor = agent, more: object = {}) => {
  const body = { runId, conversationId: room.mainConversationId, summary: 'Three steps.', ...more };
  return open.call('POST', `${at}/spaces/${room.id}/plan-exit`, body, actor);
};
const state = async (runId?: string, actor?: Actor) => (await leave(runId, actor)).body.state;
const decide = (id: string, body: object) => open.call('POST', `${at}/approvals/${id}/decision`, body);
const setMode = (mode: string, actor?: Actor) =>
  open.call('PATCH', `${at}/spaces/${room.id}`, { mode }, actor);
const mode = async () => (await open.call('GET', `${at}/spaces/${room.id}`)).body.mode;
const gates = async () =>
  (await open.call('GET', `${at}/approvals?limit=1000`)).body.items.filter(
    ({ kind, spaceId }: { kind: string; spaceId: string }) => kind === 'plan_exit' && spaceId === room.id,
  );

test('the first call opens the gate, further ones find it, and one after the yes goes through', async () => {
  const first = (await leave()).body;
  expect(first).toEqual({ state: 'pending', approvalId: expect.any(String), reason: null });
  expect((await leave('run_2', other)).body).toEqual(first);
  expect(await gates()).toMatchObject([
    {
      ...{ id: first.approvalId, requester: agent, runId: 'run_1', status: 'pending' },
      arguments: { spaceId: room.id, summary: 'Three steps.' },
      conversationId: room.mainConversationId,
    },
  ]);
  expect((await decide(first.approvalId, { decision: 'approved' })).status).toBe(200);
  expect(await mode()).toBe('plan');
  expect((await leave('run_3')).body).toEqual({
    ...{ state: 'left', approvalId: first.approvalId, reason: null },
  });
  expect(await mode()).toBe('chat');
  const changed = (await open.events(ws, 'space.changed')).filter(({ subject }) => subject === room.id);
  expect(changed.map(({ actor, data }) => [actor, data])).toEqual([[agent, { mode: 'chat', version: 2 }]]);
});

test('a call whose answer was lost is told again that it left; another is told that there is no plan mode', async () => {
  await decide((await leave()).body.approvalId, { decision: 'approved' });
  expect(await state('run_2')).toBe('left');
  expect(await state('run_2')).toBe('left');
  expect(await state('run_20')).toBe('notInPlan');
  expect((await gates()).length).toBe(1);
});

test('of twenty calls at once one opens the gate, and of twenty after the yes one leaves', async () => {
  const runs = Array.from({ length: 20 }, (_, i) => `run_many${i}`);
  const asked = await Promise.all(runs.map((run, i) => leave(run, i % 2 ? agent : other)));
  expect(new Set(asked.map(({ body }) => body.approvalId)).size).toBe(1);
  expect((await gates()).length).toBe(1);
  const requested = await open.events(ws, 'approval.requested');
  expect(requested.filter(({ data }) => data.spaceId === room.id).length).toBe(1);
  await decide(asked[0]?.body.approvalId, { decision: 'approved' });
  const states = await Promise.all(runs.map((run) => state(run)));
  expect(states.sort()).toEqual(['left', ...Array(19).fill('notInPlan')]);
  const changed = (await open.events(ws, 'space.changed')).filter(({ subject }) => subject === room.id);
  expect(changed.length).toBe(1);
});

test('a restart changes nothing about it', async () => {
  const reopen = async () => {
    await open.close();
    open = await openSpaces({ dataDir: directory.path });
  };
  const { approvalId } = (await leave()).body;
  await reopen();
  expect((await leave('run_2')).body).toEqual({ state: 'pending', approvalId, reason: null });
  await decide(approvalId, { decision: 'approved' });
  await reopen();
  expect(await state('run_3')).toBe('left');
  expect((await gates()).length).toBe(1);
});

test('a refusal is told to the request that follows it, which is a new gate', async () => {
  const first = (await leave()).body.approvalId;
  await decide(first, { decision: 'changesRequested', reason: 'Name the risks.' });
  const second = (await leave('run_2')).body;
  expect(second).toMatchObject({ state: 'pending', reason: 'Name the risks.' });
  expect(second.approvalId).not.toBe(first);
  expect((await leave('run_3')).body).toEqual(second);
  await decide(second.approvalId, { decision: 'refused' });
  const third = (await leave()).body;
  expect(third).toMatchObject({ state: 'pending', reason: null });
  await decide(third.approvalId, { decision: 'approved' });
  expect(await state()).toBe('left');
});

describe('a mode that is changed by hand', () => {
  const ways: [string, Actor | undefined][] = [
    ['chat', undefined],
    ['orchestrate', undefined],
    ['review', 'service:runs'],
    ['chat', 'service:orchestration'],
  ];
  test.each(ways)('to %s (%p) takes the open gate away', async (to, actor) => {
    const { approvalId } = (await leave()).body;
    await setMode(to, actor);
    expect((await gates())[0]).toMatchObject({ id: approvalId, status: 'superseded' });
    expect((await decide(approvalId, { decision: 'approved' })).body.code).toBe('already_decided');
    expect(await state()).toBe('notInPlan');
    const told = (await open.events(ws)).filter(({ subject }) => subject === approvalId);
    expect(told.map(({ type }) => type)).toEqual(['approval.requested', 'approval.superseded']);
  });

  test.each(ways)('to %s (%p) uses a yes up, so that it leads out of no later plan', async (to, actor) => {
    const { approvalId } = (await leave()).body;
    await decide(approvalId, { decision: 'approved' });
    await setMode(to, actor);
    await setMode('plan');
    const again = (await leave('run_2')).body;
    expect(again.state).toBe('pending');
    expect(again.approvalId).not.toBe(approvalId);
    expect(await mode()).toBe('plan');
  });

  test('leaves the gate alone while it stays plan, and so does a change of another space', async () => {
    const { approvalId } = (await leave()).body;
    const away = (await open.call('POST', `${at}/spaces`, { name: 'x', mode: 'plan' })).body.id;
    await open.call('PATCH', `${at}/spaces/${away}`, { mode: 'chat' });
    await open.call('PATCH', `${at}/spaces/${room.id}`, { name: 'Renamed', mode: 'plan' });
    expect(await gates()).toMatchObject([{ id: approvalId, status: 'pending' }]);
  });

  test('at the same moment as the yes or the call leaves no gate behind that is open or unused', async () => {
    for (let i = 0; i < 15; i++) {
      await setMode('plan');
      const { approvalId } = (await leave()).body;
      await Promise.all([
        decide(approvalId, { decision: 'approved' }),
        setMode('chat'),
        leave('run_race'),
        ...(i % 2 ? [leave('run_race2', other)] : []),
      ]);
      expect(await mode()).toBe('chat');
      await setMode('plan');
      expect(await state('run_after')).toBe('pending');
      expect((await gates()).filter(({ status }: { status: string }) => status === 'pending').length).toBe(1);
    }
  });
});

test('a cancelled run takes its gate along only when it is asked to', async () => {
  const { approvalId } = (await leave('run_gone')).body;
  const supersede = (planExit?: boolean) =>
    open.call('POST', `${at}/approvals/supersede-of-run`, { runId: 'run_gone', planExit }, 'service:runs');
  expect((await supersede()).body.superseded).toEqual([]);
  expect((await supersede(true)).body.superseded).toEqual([approvalId]);
  expect(await mode()).toBe('plan');
  expect((await leave('run_2')).body.approvalId).not.toBe(approvalId);
});

test('a space in another mode has no gate; only agents ask; the conversation is one of the space', async () => {
  for (const actor of [open.person, 'service:runs'] satisfies Actor[]) {
    expect((await leave('run_1', actor)).body.code).toBe('forbidden');
  }
  const away = (await open.call('POST', `${at}/spaces`, { name: 'Away' })).body;
  const foreign = await leave('run_1', agent, { conversationId: away.mainConversationId });
  expect([foreign.status, foreign.body.errors.faults[0].path]).toEqual([400, 'conversationId']);
  expect((await leave('run_1', agent, { conversationId: 'cnv_none' })).body.code).toBe('not_found');
  expect((await leave('run_1', agent, { summary: ' ' })).body.errors.faults[0].path).toBe('summary');
  await setMode('orchestrate');
  expect((await leave()).body).toEqual({ state: 'notInPlan', approvalId: null, reason: null });
  expect(await gates()).toEqual([]);
  const byHand = {
    kind: 'plan_exit',
    requester: agent,
    subject: 'x',
    arguments: {},
    spaceId: room.id,
    key: 'k',
  };
  const answer = await open.call('POST', `${at}/approvals`, byHand, agent);
  expect([answer.status, answer.body.errors.faults[0].path]).toEqual([400, 'kind']);
});

test('every conversation of the space has its mode, threads included, before and after', async () => {
  const title = { title: 'Thread' };
  const thread = (await open.call('POST', `${at}/spaces/${room.id}/conversations`, title)).body.id;
  const modes = async () =>
    Promise.all(
      [room.mainConversationId, thread].map(
        async (id) => (await open.call('GET', `${at}/conversations/${id}`)).body.space.mode,
      ),
    );
  expect(await modes()).toEqual(['plan', 'plan']);
  await decide((await leave()).body.approvalId, { decision: 'approved' });
  expect((await leave('run_1', agent, { conversationId: thread })).body.state).toBe('left');
  expect(await modes()).toEqual(['chat', 'chat']);
  await setMode('orchestrate');
  expect(await modes()).toEqual(['orchestrate', 'orchestrate']);
});

test('a sub-agent’s request shows at the root of its tree, and is withdrawn with that when the tree is stopped', async () => {
  const { approvalId } = (await leave('run_below', other, { rootRunId: 'run_top' })).body;
  expect(await gates()).toMatchObject([{ id: approvalId, runId: 'run_below', rootRunId: 'run_top' }]);
  const supersede = (planExit: boolean) =>
    open.call('POST', `${at}/approvals/supersede-of-run`, { runId: 'run_top', planExit }, 'service:runs');
  expect((await supersede(false)).body.superseded).toEqual([]);
  expect((await supersede(true)).body.superseded).toEqual([approvalId]);
});
