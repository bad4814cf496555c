import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Actor } from '../../kit/actor.ts';
import { addMember, type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import type { Rule } from './schema.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;
let ws: string;
let at: string;
let spaceId: string;
let agentId: string;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Guardrails');
  at = `/workspaces/${ws}`;
  spaceId = (await open.call('POST', `${at}/spaces`, { name: 'Room', mode: 'plan' })).body.id;
  agentId = (await open.call('GET', `${at}/agents`)).body.items[0].id;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

const put = (rule: object, actor?: Actor) => open.call('PUT', `${at}/guardrails/rules`, rule, actor);
const remove = (id: string, actor?: Actor) =>
  open.call('DELETE', `${at}/guardrails/rules/${id}`, undefined, actor);
const effective = async (query = '') => (await open.call('GET', `${at}/guardrails${query}`)).body;
const told = async (id: string) =>
  (await open.events(ws)).filter(({ subject }) => subject === id).map(({ type, data }) => [type, data]);

test('what holds is the mode, the autonomy and the rules of workspace, agent and space, and no other', async () => {
  const other = (await open.call('POST', `${at}/spaces`, { name: 'Other' })).body.id;
  const otherAgent = (await open.call('GET', `${at}/agents`)).body.items[1].id;
  const made: Rule[] = [];
  for (const [scope, scopeId] of [
    ['workspace', null],
    ['agent', agentId],
    ['space', spaceId],
    ['space', other],
    ['agent', otherAgent],
  ]) {
    const { status, body } = await put({ scope, scopeId, effect: 'git_push', action: 'deny' });
    expect(status).toBe(200);
    made.push(body);
  }
  const shown = (rules: typeof made) =>
    rules.map(({ id, scope, scopeId, effect, action }) => ({ id, scope, scopeId, effect, action }));
  const [whole, ofAgent, ofSpace, ofOther] = made as [Rule, Rule, Rule, Rule];
  expect(await effective(`?agentId=${agentId}&spaceId=${spaceId}`)).toEqual({
    ...{ mode: 'plan', autonomy: 'actWithApproval', whenNobody: 'refuse' },
    rules: shown([whole, ofAgent, ofSpace]),
  });
  expect(await effective(`?agentId=${agentId}`)).toEqual({
    ...{ mode: 'chat', autonomy: 'actWithApproval', whenNobody: 'refuse' },
    rules: shown([whole, ofAgent]),
  });
  expect((await effective(`?spaceId=${other}`)).rules).toEqual(shown([whole, ofOther]));
  expect((await effective()).rules).toEqual(shown([whole]));
  expect((await open.call('GET', `${at}/guardrails/rules`)).body.items).toEqual(made);
  for (const { id } of made) await remove(id);
});

test('unknown agents and spaces are not found, also those of another workspace', async () => {
  const elsewhere = `/workspaces/${await readyWorkspace(open, 'Elsewhere')}`;
  for (const query of ['?agentId=agt_none', '?spaceId=spc_none', `?agentId=${agentId}&spaceId=spc_none`]) {
    expect((await open.call('GET', `${at}/guardrails${query}`)).body.code).toBe('not_found');
  }
  for (const query of [`?agentId=${agentId}`, `?spaceId=${spaceId}`]) {
    expect((await open.call('GET', `${elsewhere}/guardrails${query}`)).status).toBe(404);
  }
  const rule = { effect: 'git_push', action: 'deny' };
  expect((await put({ scope: 'agent', scopeId: 'agt_none', ...rule })).body.code).toBe('not_found');
  expect((await put({ scope: 'space', scopeId: agentId, ...rule })).body.code).toBe('not_found');
});

test('autonomy and what happens with nobody there are set by people, from the beginning or later', async () => {
  const first = { autonomy: 'proposeOnly', whenNobody: 'wait' };
  const { body } = await open.call('POST', `${at}/spaces`, { name: 'Dial', ...first });
  expect(body).toMatchObject(first);
  expect(await effective(`?spaceId=${body.id}`)).toMatchObject(first);
  const second = { autonomy: 'actFreely', whenNobody: 'refuse' };
  const changed = await open.call('PATCH', `${at}/spaces/${body.id}`, { ...second, version: 1 });
  expect(changed.body).toMatchObject({ ...second, version: 2 });
  expect(await effective(`?spaceId=${body.id}`)).toMatchObject(second);
  expect(await told(body.id)).toMatchObject([
    ['space.created', first],
    ['space.changed', { ...second, version: 2 }],
  ]);
  const wrong = await open.call('PATCH', `${at}/spaces/${body.id}`, { autonomy: 'free', whenNobody: 'x' });
  const paths = wrong.body.errors.faults.map(({ path }: { path: string }) => path).sort();
  expect([wrong.status, paths]).toEqual([400, ['autonomy', 'whenNobody']]);
});

test('a scope has one rule for an effect; the same again is no event, another action says what was before', async () => {
  const rule = { scope: 'workspace', effect: 'secret_access', action: 'ask' };
  const first = (await put(rule)).body;
  expect(first).toMatchObject({ ...rule, scopeId: null, setBy: open.person });
  expect((await put(rule)).body).toEqual(first);
  const deny = (await put({ ...rule, action: 'deny' })).body;
  expect(deny).toMatchObject({ id: first.id, action: 'deny' });
  expect((await remove(first.id)).body).toEqual(deny);
  expect((await remove(first.id)).body.code).toBe('not_found');
  const data = { scope: 'workspace', scopeId: null, effect: 'secret_access' };
  expect(await told(first.id)).toEqual([
    ['guardrail.set', { ...data, action: 'ask', before: null, approvalId: null }],
    ['guardrail.set', { ...data, action: 'deny', before: 'ask', approvalId: null }],
    ['guardrail.removed', { ...data, action: 'deny' }],
  ]);
});

test('twenty at once set one rule', async () => {
  const actions = ['allow', 'ask', 'deny'];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      put({ scope: 'space', scopeId: spaceId, effect: 'git_push', action: actions[i % 3] }),
    ),
  );
  const [id, ...others] = [...new Set(answers.map(({ body }) => body.id))];
  expect(others).toEqual([]);
  const steps = (await told(id)).map(([, data]) => data as Record<string, unknown>);
  expect(steps.map(({ before }) => before)).toEqual([
    null,
    ...steps.slice(0, -1).map(({ action }) => action),
  ]);
  expect((await effective(`?spaceId=${spaceId}`)).rules).toMatchObject([
    { id, action: steps.at(-1)?.action },
  ]);
  await remove(id);
});

test('bad rules are one fault that names the field', async () => {
  const rule = { scope: 'space', scopeId: spaceId, effect: 'git_push', action: 'deny' };
  const cases: [object, string[]][] = [
    [{ ...rule, effect: 'everything', action: 'maybe', scope: 'team' }, ['action', 'effect', 'scope']],
    [{ ...rule, scope: 'workspace' }, ['scopeId']],
    [{ ...rule, scopeId: null }, ['scopeId']],
    [{ ...rule, extra: 1 }, ['']],
  ];
  for (const [body, paths] of cases) {
    const answer = await put(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.errors.faults.map(({ path }: { path: string }) => path).sort()).toEqual(paths);
  }
});

test('agents set no rule and no autonomy, and neither do viewers or services rules', async () => {
  const rule = (await put({ scope: 'workspace', effect: 'git_push', action: 'deny' })).body;
  const viewer = await addMember(open, 'viewer');
  const agent: Actor = `agent:${agentId}`;
  const before = (await open.events(ws)).length;
  for (const actor of [agent, viewer, 'person:mem_stranger', 'service:runs'] satisfies Actor[]) {
    const allow = { scope: 'workspace', effect: 'git_push', action: 'allow' };
    expect([actor, (await put(allow, actor)).status]).toEqual([actor, 403]);
    expect([actor, (await remove(rule.id, actor)).status]).toEqual([actor, 403]);
  }
  for (const actor of [agent, viewer]) {
    for (const change of [{ autonomy: 'actFreely' }, { whenNobody: 'wait' }, { mode: 'chat' }]) {
      const { status } = await open.call('PATCH', `${at}/spaces/${spaceId}`, change, actor);
      expect([actor, change, status]).toEqual([actor, change, 403]);
    }
    const space = { name: 'Free', autonomy: 'actFreely' };
    expect((await open.call('POST', `${at}/spaces`, space, actor)).status).toBe(403);
  }
  expect((await open.events(ws)).length).toBe(before);
});
