import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Actor } from '../../kit/actor.ts';
import { addMember, type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

const directory = temporaryDirectory();
const service: Actor = 'service:runs';
let open: OpenSpaces;
let ws: string;
let at: string;
let spaceId: string;
let conversationId: string;
let agent: Actor;
let count = 0;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Grants');
  at = `/workspaces/${ws}`;
  const space = (await open.call('POST', `${at}/spaces`, { name: 'Room' })).body;
  [spaceId, conversationId] = [space.id, space.mainConversationId];
  agent = `agent:${(await open.call('GET', `${at}/agents`)).body.items[0].id}`;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

interface Wish {
  key?: string;
  command?: string;
  asked?: string[];
  [field: string]: unknown;
}

const ask = async ({ key, command = 'git push', asked = ['git_push'], ...more }: Wish = {}) =>
  open.call(
    'POST',
    `${at}/approvals`,
    {
      ...{ kind: 'action', requester: agent, subject: command, runId: 'run_1', spaceId, conversationId },
      arguments: { tool: 'run_command', input: { command }, classes: asked, asked, reason: 'It asks.' },
      key: key ?? `call/${++count}`,
      ...more,
    },
    service,
  );
const decide = (id: string, body: object, actor?: Actor) =>
  open.call('POST', `${at}/approvals/${id}/decision`, body, actor);
const rules = async () => (await open.call('GET', `${at}/guardrails/rules`)).body.items;
const ofType = async (type: string, id: string) =>
  (await open.events(ws, type)).filter(({ subject }) => subject === id);
const clear = async () => {
  for (const { id } of await rules()) await open.call('DELETE', `${at}/guardrails/rules/${id}`);
};

describe('with nobody there', () => {
  test('a request that would wait waits; one that would not is refused and stays for a person', async () => {
    expect((await ask({ command: 'waits' })).body.status).toBe('pending');
    const { status, body } = await ask({ command: 'refused', whenNobody: 'refuse', rootRunId: 'run_0' });
    expect([status, body.status, body.decidedBy, body.rootRunId]).toEqual([201, 'unattended', null, 'run_0']);
    const [event] = await ofType('approval.requested', body.id);
    expect(event?.data).toMatchObject({ status: 'unattended', rootRunId: 'run_0', digest: body.digest });
  });

  test.each(['question', 'orchestration'])('a %s waits all the same', async (kind) => {
    expect((await ask({ kind, whenNobody: 'refuse' })).body.status).toBe('pending');
  });

  test('allowed later, the same arguments are allowed once, in the same conversation, to the same agent', async () => {
    const wish = { command: 'once', whenNobody: 'refuse' };
    const { id } = (await ask({ ...wish, runId: 'run_a' })).body;
    expect((await decide(id, { decision: 'approved' })).body).toMatchObject({
      status: 'approved',
      grant: 'once',
    });
    const another = `agent:${(await open.call('GET', `${at}/agents`)).body.items[1].id}`;
    const thread = await open.call('POST', `${at}/spaces/${spaceId}/conversations`, { title: 'T' });
    for (const other of [
      { command: 'other' },
      { requester: another },
      { conversationId: thread.body.id },
      { conversationId: null },
    ]) {
      expect((await ask({ ...wish, runId: 'run_b', ...other })).body.status).toBe('unattended');
    }
    const retried = (await ask({ ...wish, runId: 'run_b', key: 'retry' })).body;
    expect(retried).toMatchObject({ id, status: 'approved' });
    expect((await ask({ ...wish, runId: 'run_b', key: 'retry' })).body).toEqual(retried);
    expect((await ask({ ...wish, runId: 'run_c' })).body.status).toBe('unattended');
    const consumed = await ofType('approval.consumed', id);
    expect(consumed.map(({ data }) => data)).toEqual([{ kind: 'action', runId: 'run_b' }]);
  });

  test('of twenty retries at once one uses the yes, and the others are refused for themselves', async () => {
    const wish = { command: 'race', whenNobody: 'refuse' };
    const { id } = (await ask(wish)).body;
    await decide(id, { decision: 'approved' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(wish)));
    const approved = answers.filter(({ body }) => body.status === 'approved');
    expect(approved.map(({ body }) => body.id)).toEqual([id]);
    expect(answers.filter(({ body }) => body.status === 'unattended' && body.id !== id).length).toBe(19);
    expect((await ofType('approval.consumed', id)).length).toBe(1);
  });

  test('a call that a crash cut off uses its own yes up, and cannot use one that a retry has used', async () => {
    const wish = { command: 'cut off', whenNobody: 'refuse' };
    const first = (await ask({ ...wish, key: 'cut/1' })).body;
    await decide(first.id, { decision: 'approved' });
    expect((await ask({ ...wish, key: 'cut/1' })).body.status).toBe('approved');
    const second = (await ask({ ...wish, key: 'cut/2' })).body;
    expect(second.status).toBe('unattended');
    await decide(second.id, { decision: 'approved' });
    expect((await ask({ ...wish, key: 'cut/3' })).body).toMatchObject({ id: second.id, status: 'approved' });
    expect((await ask({ ...wish, key: 'cut/2' })).body.status).toBe('unattended');
  });

  test('refused by a person it leaves the inbox, and allows nothing', async () => {
    const wish = { command: 'no', whenNobody: 'refuse' };
    const { id } = (await ask(wish)).body;
    expect((await decide(id, { decision: 'refused', reason: 'never' })).body).toMatchObject({
      status: 'refused',
      grant: null,
      decision: { reason: 'never' },
    });
    expect((await ask(wish)).body.status).toBe('unattended');
    expect((await decide(id, { decision: 'approved' })).body.code).toBe('already_decided');
  });
});

describe('a yes', () => {
  test('to one call is no yes to the same call again', async () => {
    const { id } = (await ask({ command: 'single' })).body;
    await decide(id, { decision: 'approved' });
    expect((await ask({ command: 'single' })).body).toMatchObject({ status: 'pending' });
  });

  test('for the run holds for these arguments in this run', async () => {
    const { id } = (await ask({ command: 'often', runId: 'run_r' })).body;
    expect((await decide(id, { decision: 'approved', grant: 'run' })).body.grant).toBe('run');
    for (let i = 0; i < 3; i++) {
      expect((await ask({ command: 'often', runId: 'run_r' })).body).toMatchObject({
        id,
        status: 'approved',
      });
    }
    expect((await ask({ command: 'often', runId: 'run_s' })).body.status).toBe('pending');
    expect((await ask({ command: 'more often', runId: 'run_r' })).body.status).toBe('pending');
  });

  test('as a rule, of twenty at once, is one decision, one rule for each class, and one event of each', async () => {
    const asked = ['git_push', 'secret_access'];
    const { id } = (await ask({ command: 'rule', asked })).body;
    const people = await Promise.all(Array.from({ length: 20 }, () => addMember(open, 'operator')));
    const answers = await Promise.all(
      people.map((person) => decide(id, { decision: 'approved', grant: 'rule' }, person)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    const won = answers.find(({ status }) => status === 200)?.body;
    const stand = (await rules()).map(({ id: _, ...rule }: { id: string }) => rule);
    expect(stand).toEqual(
      asked.map((effect) => ({
        ...{ scope: 'space', scopeId: spaceId, effect, action: 'allow' },
        ...{ setBy: won.decidedBy, setAt: won.decidedAt },
      })),
    );
    expect((await ofType('approval.decided', id)).map(({ data }) => data)).toMatchObject([
      { grant: 'rule', requester: agent },
    ]);
    const told = (await open.events(ws, 'guardrail.set')).filter(({ data }) => data.approvalId === id);
    expect(told.map(({ data }) => [data.effect, data.before])).toEqual(asked.map((effect) => [effect, null]));
    await clear();
  });

  test.each([
    ['workspace', () => null],
    ['agent', () => agent.slice('agent:'.length)],
  ])('as a rule may hold for the %s', async (ruleScope, scopeId) => {
    const { id } = (await ask({ command: `rule of ${ruleScope}` })).body;
    expect((await decide(id, { decision: 'approved', grant: 'rule', ruleScope })).status).toBe(200);
    expect(await rules()).toMatchObject([{ scope: ruleScope, scopeId: scopeId(), action: 'allow' }]);
    await clear();
  });

  test('as a rule replaces one that asks, and never one that denies', async () => {
    const put = (scope: string, scopeId: string | null, action: string) =>
      open.call('PUT', `${at}/guardrails/rules`, { scope, scopeId, effect: 'git_push', action });
    await put('space', spaceId, 'ask');
    const first = (await ask({ command: 'over ask' })).body;
    await decide(first.id, { decision: 'approved', grant: 'rule' });
    expect((await rules()).map(({ action }: { action: string }) => action)).toEqual(['allow']);
    for (const [scope, scopeId] of [
      ['space', spaceId],
      ['workspace', null],
      ['agent', agent.slice(6)],
    ] as const) {
      await clear();
      const rule = (await put(scope, scopeId, 'deny')).body;
      const { id } = (await ask({ command: `over deny of ${scope}` })).body;
      const before = (await open.events(ws)).length;
      const answer = await decide(id, { decision: 'approved', grant: 'rule' });
      expect([answer.status, answer.body.code, answer.body.errors.rule.id]).toEqual([
        409,
        'conflict',
        rule.id,
      ]);
      expect(answer.body.detail).toContain(rule.id);
      expect([(await open.events(ws)).length, await rules()]).toEqual([before, [rule]]);
      expect((await decide(id, { decision: 'approved' })).status).toBe(200);
    }
    await clear();
  });

  test('that does not fit its approval is refused, and decides nothing', async () => {
    const action = (await ask({ command: 'unfit' })).body.id;
    const bare = (await ask({ command: 'bare', arguments: { tool: 'x' } })).body.id;
    const outside = (await ask({ command: 'outside', spaceId: null })).body.id;
    const ofService = (await ask({ command: 'service', requester: 'service:runs' })).body.id;
    const question = (await ask({ kind: 'question' })).body.id;
    const yes = { decision: 'approved' };
    const cases: [string, object, string][] = [
      [action, { decision: 'changesRequested', reason: 'x' }, 'decision'],
      [question, { decision: 'changesRequested', reason: 'x' }, 'decision'],
      [question, { decision: 'changesRequested', reason: '  ' }, 'reason'],
      [question, { ...yes, grant: 'once' }, 'grant'],
      [action, { decision: 'refused', grant: 'once' }, 'grant'],
      [action, { ...yes, ruleScope: 'space' }, 'ruleScope'],
      [action, { ...yes, grant: 'run', ruleScope: 'space' }, 'ruleScope'],
      [bare, { ...yes, grant: 'rule' }, 'grant'],
      [outside, { ...yes, grant: 'rule' }, 'ruleScope'],
      [ofService, { ...yes, grant: 'rule', ruleScope: 'agent' }, 'ruleScope'],
    ];
    const before = (await open.events(ws)).length;
    for (const [id, body, path] of cases) {
      const answer = await decide(id, body);
      expect([body, answer.status, answer.body.errors.faults[0].path]).toEqual([body, 400, path]);
    }
    expect((await open.events(ws)).length).toBe(before);
  });
});

test('changes that are requested are a refusal that says so', async () => {
  const { id } = (await ask({ kind: 'orchestration' })).body;
  const { body } = await decide(id, { decision: 'changesRequested', reason: 'smaller' });
  const decision = { reason: 'smaller', changesRequested: true };
  expect(body).toMatchObject({ status: 'refused', decision, grant: null });
  expect((await ofType('approval.decided', id))[0]?.data).toMatchObject({ status: 'refused', decision });
  const late = await decide(id, { decision: 'approved' });
  expect(late.body.detail).toContain('sent back for changes');
});

test('the same key is the same request: with other arguments or another requester it is a conflict', async () => {
  const first = await ask({ key: 'keyed', command: 'a' });
  expect(await ask({ key: 'keyed', command: 'a' })).toEqual(first);
  for (const other of [{ command: 'b' }, { command: 'a', requester: 'agent:agt_other' }]) {
    const answer = await ask({ key: 'keyed', ...other });
    expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  }
  const racing = await Promise.all(
    Array.from({ length: 10 }, (_, i) => ask({ key: 'racing', command: `c${i % 2}` })),
  );
  expect(new Set(racing.map(({ status }) => status))).toEqual(new Set([201, 409]));
  expect(new Set(racing.filter(({ status }) => status === 201).map(({ body }) => body.id)).size).toBe(1);
});

test('only owners and operators decide: no viewer, nobody unknown, no agent, no service', async () => {
  const { id } = (await ask({ command: 'roles' })).body;
  const viewer = await addMember(open, 'viewer');
  const outsiders: [Actor, string][] = [
    [viewer, 'forbidden'],
    ['person:mem_stranger', 'forbidden'],
    [agent, 'people_only'],
    [service, 'people_only'],
  ];
  for (const [actor, code] of outsiders) {
    const answer = await decide(id, { decision: 'approved' }, actor);
    expect([actor, answer.status, answer.body.code]).toEqual([actor, 403, code]);
  }
  expect((await open.call('GET', `${at}/approvals/${id}`)).body.status).toBe('pending');
  expect((await decide(id, { decision: 'refused' }, await addMember(open, 'operator'))).status).toBe(200);
});
