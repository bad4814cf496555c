import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Actor } from '../../kit/actor.ts';
import { addMember, type OpenSpaces } from '../fixture.ts';
import { type Asking, openAsking } from './asking-fixture.ts';

let asking: Asking;
let open: OpenSpaces;
let ws: string;
let at: string;
let spaceId: string;
let agent: Actor;
let ask: Asking['ask'];
let decide: Asking['decide'];
let ofType: Asking['ofType'];

beforeAll(async () => {
  asking = await openAsking();
  ({ open, ws, at, spaceId, agent, ask, decide, ofType } = asking);
});
afterAll(() => asking.close());

const rules = async () => (await open.call('GET', `${at}/guardrails/rules`)).body.items;
const clear = async () => {
  for (const { id } of await rules()) await open.call('DELETE', `${at}/guardrails/rules/${id}`);
};

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
    ['service:runs', 'people_only'],
  ];
  for (const [actor, code] of outsiders) {
    const answer = await decide(id, { decision: 'approved' }, actor);
    expect([actor, answer.status, answer.body.code]).toEqual([actor, 403, code]);
  }
  expect((await open.call('GET', `${at}/approvals/${id}`)).body.status).toBe('pending');
  expect((await decide(id, { decision: 'refused' }, await addMember(open, 'operator'))).status).toBe(200);
});
