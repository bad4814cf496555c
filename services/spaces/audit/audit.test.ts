import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ACTOR_HEADER, type Actor } from '../../kit/actor.ts';
import { eventStatement } from '../../kit/database/event-log.ts';
import { hasFaultCode } from '../../kit/fault.ts';
import { type RequestSource, SOURCE_HEADER, sourceHeader } from '../../kit/source.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { type AuditEntry, auditBeforeStatement } from './audit.ts';

const directory = temporaryDirectory();
const HERE: RequestSource = { via: 'http', address: '127.0.0.1', agent: 'browser/1' };
const INTERNAL: RequestSource = { via: 'internal', address: null, agent: null };
const SECRET = 'plum orchard';
let nowMs = 1_800_000_000_000;
let open: OpenSpaces;
let ws: string;
let at: string;
let agent: Actor;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path, clock: () => nowMs });
  ws = await readyWorkspace(open, 'Audit');
  at = `/api/workspaces/${ws}`;
  agent = `agent:${(await open.call('GET', `/workspaces/${ws}/agents`)).body.items[0].id}`;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

async function send(
  method: string,
  path: string,
  body?: object,
  actor = open.person,
  source?: RequestSource,
) {
  const response = await open.spaces.app.request(at + path, {
    method,
    headers: {
      [ACTOR_HEADER]: actor,
      'content-type': 'application/json',
      ...(source && { [SOURCE_HEADER]: sourceHeader(source) }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([method, path, response.ok]).toEqual([method, path, true]);
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  return (await response.json()) as any;
}
const byHand = (method: string, path: string, body?: object) => send(method, path, body, open.person, HERE);
const log = async (after = 0) =>
  (await open.call('GET', `/workspaces/${ws}/audit?after=${after}&limit=1000`)).body.items as AuditEntry[];

test('it says who changed or decided what, when and from where', async () => {
  const start = (await log()).at(-1)?.seq ?? 0;
  nowMs += 1_000;
  const space = await byHand('POST', '/spaces', { name: 'Room', mode: 'plan' });
  await byHand('PATCH', `/spaces/${space.id}`, { autonomy: 'proposeOnly' });
  const rule = await byHand('PUT', '/guardrails/rules', {
    ...{ scope: 'space', scopeId: space.id, effect: 'git_push', action: 'ask' },
  });
  await byHand('DELETE', `/guardrails/rules/${rule.id}`);
  const hired = await byHand('POST', '/agents', { name: 'ann', title: 'Ann' });
  await byHand('PATCH', `/agents/${hired.id}`, { version: 1, systemPrompt: SECRET });
  const wish = { kind: 'action', requester: agent, subject: 'Push', runId: 'run_1', spaceId: space.id };
  const args = { input: { text: SECRET }, asked: ['git_push'] };
  const approval = await send('POST', '/approvals', { ...wish, arguments: args, key: 'a' }, 'service:runs');
  const yes = { decision: 'approved', grant: 'rule', answer: SECRET, reason: 'fine' };
  await byHand('POST', `/approvals/${approval.id}/decision`, yes);
  const conversationId = space.mainConversationId;
  const exit = { runId: 'run_1', conversationId, summary: SECRET };
  const gate = await send('POST', `/spaces/${space.id}/plan-exit`, exit, agent);
  await byHand('POST', `/approvals/${gate.approvalId}/decision`, { decision: 'approved' });
  await send('POST', `/spaces/${space.id}/plan-exit`, exit, agent);
  await byHand('POST', `/conversations/${conversationId}/messages`, { body: SECRET });
  await byHand('POST', '/tickets', { title: SECRET });

  const entries = await log(start);
  const allowed = (await open.call('GET', `/workspaces/${ws}/guardrails/rules`)).body.items[0];
  const me = open.person;
  expect(entries.map((entry) => [entry.actor, entry.action, entry.subject, entry.source])).toEqual([
    [me, 'space.created', space.id, HERE],
    [me, 'space.changed', space.id, HERE],
    [me, 'guardrail.set', rule.id, HERE],
    [me, 'guardrail.removed', rule.id, HERE],
    [me, 'agent.created', hired.id, HERE],
    [me, 'agent.changed', hired.id, HERE],
    ['service:runs', 'approval.requested', approval.id, INTERNAL],
    [me, 'approval.decided', approval.id, HERE],
    [me, 'guardrail.set', allowed.id, HERE],
    [agent, 'approval.requested', gate.approvalId, INTERNAL],
    [me, 'approval.decided', gate.approvalId, HERE],
    [agent, 'space.changed', space.id, INTERNAL],
  ]);
  expect(entries.every((entry) => entry.at === nowMs)).toBe(true);
  const [, dial, , , , , , decided, granted] = entries;
  expect(dial?.data).toEqual({ autonomy: 'proposeOnly', version: 2 });
  expect(decided?.data).toMatchObject({
    ...{ status: 'approved', grant: 'rule', digest: approval.digest, subject: 'Push', requester: agent },
    decision: { reason: 'fine' },
  });
  expect(granted?.data).toMatchObject({ action: 'allow', before: null, approvalId: approval.id });
  expect(JSON.stringify(entries)).not.toContain(SECRET);
});

test('of what other services tell it takes what people did, and budgets whoever set them', async () => {
  const database = await open.deps.databases.open(ws);
  const start = (await open.events(ws)).length;
  const told: [string, Actor, boolean][] = [
    ['orchestration.approved', open.person, true],
    ['orchestration.changesRequested', open.person, true],
    ['orchestration.completed', 'service:orchestration', false],
    ['plan.approved', open.person, true],
    ['plan.submitted', agent, false],
    ['run.cancelRequested', open.person, true],
    ['run.ended', agent, false],
    ['review.published', agent, true],
    ['finding.resolved', open.person, true],
    ['finding.added', agent, false],
    ['budget.set', 'service:orchestration', true],
    ['message.posted', open.person, false],
  ];
  const data = { status: 'x', body: SECRET, text: SECRET, output: { a: SECRET }, prompt: SECRET };
  await database.write(
    'other.services',
    told.map(([type, actor]) => eventStatement({ at: nowMs, actor, type, subject: 'x_1', data })),
  );
  const entries = await log(start);
  expect(entries.map(({ action }) => action)).toEqual(
    told.filter(([, , isIn]) => isIn).map(([type]) => type),
  );
  expect(entries.map((entry) => entry.data)).toEqual(entries.map(() => ({ status: 'x' })));
  expect(entries.map(({ source }) => source)).toEqual(entries.map(() => null));
});

test('it pages without loss, and exports every entry as a line', async () => {
  const database = await open.deps.databases.open(ws);
  const many = Array.from({ length: 1_200 }, (_, version) =>
    eventStatement({ at: nowMs, actor: agent, type: 'space.changed', subject: 'spc_1', data: { version } }),
  );
  await database.write('many', many);
  const seen: AuditEntry[] = [];
  for (let after: string | null = '0'; after !== null; ) {
    const { body } = await open.call('GET', `/workspaces/${ws}/audit?after=${after}&limit=333`);
    seen.push(...body.items);
    after = body.next;
  }
  expect(seen.length).toBeGreaterThan(1_200);
  expect(seen.map(({ seq }) => seq)).toEqual([...new Set(seen.map(({ seq }) => seq))].sort((a, b) => a - b));
  const response = await open.spaces.app.request(`${at}/audit?format=ndjson`, {
    headers: { [ACTOR_HEADER]: open.person },
  });
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  const text = await response.text();
  expect(text.endsWith('\n')).toBe(true);
  expect(
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(seen);
});

test('of one thing it tells the newest first, each field from what to what, and reads nothing else of the log', async () => {
  const { id } = await byHand('POST', '/agents', { name: 'bob', title: 'Bob', skills: ['a'] });
  const change = { version: 1, title: 'Robert', skills: ['a', 'b'], persona: SECRET, maxTurns: 9 };
  await byHand('PATCH', `/agents/${id}`, change);
  await byHand('PATCH', `/agents/${id}`, { version: 2, persona: '' });
  const page = async (query: string) =>
    (await open.call('GET', `/workspaces/${ws}/audit?subject=${id}&limit=2${query}`)).body;
  const first = await page('');
  expect(first.items.map(({ action, data }: AuditEntry) => [action, data.version])).toEqual([
    ['agent.changed', 3],
    ['agent.changed', 2],
  ]);
  const prose = { characters: SECRET.length, digest: expect.stringMatching(/^[0-9a-f]{12}$/) };
  const empty = { characters: 0, digest: expect.any(String) };
  expect(first.items[1].data.changes).toEqual({
    title: { from: 'Bob', to: 'Robert' },
    skills: { from: ['a'], to: ['a', 'b'] },
    persona: { from: empty, to: prose },
    maxTurns: { from: null, to: 9 },
  });
  expect(first.items[0].data.changes.persona).toEqual({
    from: first.items[1].data.changes.persona.to,
    to: first.items[1].data.changes.persona.from,
  });
  const rest = await page(`&before=${first.next}`);
  expect(rest).toMatchObject({ items: [{ action: 'agent.created', subject: id }], next: null });
  const all = (await open.call('GET', `/workspaces/${ws}/audit?before=${first.next}&limit=1`)).body;
  expect(all.items).toEqual(rest.items);
  expect((await open.call('GET', `/workspaces/${ws}/audit?subject=${id}&after=1`)).status).toBe(400);

  const database = await open.deps.databases.open(ws);
  const { sql, args } = auditBeforeStatement({ beforeSeq: null, subject: id, limit: 2 });
  const plan = await database.read({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('USING INDEX eventsAudited (subject=? AND seq<?)'),
  ]);
});

test('only people read it, and nobody changes it', async () => {
  for (const actor of [agent, 'service:runs'] satisfies Actor[]) {
    for (const query of ['', '?format=ndjson']) {
      const answer = await open.call('GET', `/workspaces/${ws}/audit${query}`, undefined, actor);
      expect([answer.status, answer.body.code]).toEqual([403, 'people_only']);
    }
  }
  const database = await open.deps.databases.open(ws);
  const before = await log();
  for (const sql of ["UPDATE events SET source = '{}'", 'DELETE FROM events']) {
    const refused = await database.write('forge', [{ sql, args: [] }]).catch((error: unknown) => error);
    expect(hasFaultCode(refused, 'conflict')).toBe(true);
  }
  expect(await log()).toEqual(before);
  for (const query of ['after=x', 'limit=1001', 'format=csv']) {
    expect((await open.call('GET', `/workspaces/${ws}/audit?${query}`)).status).toBe(400);
  }
});
