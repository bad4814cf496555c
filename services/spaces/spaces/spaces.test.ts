import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;
let ws: string;
let at: string;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
  ws = await readyWorkspace(open, 'Spaces');
  at = `/workspaces/${ws}/spaces`;
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

test('a space begins in chat mode with its main conversation and resolved repositories', async () => {
  const repositories = [{ name: 'app', path: '/repos/app///' }];
  const { status, body } = await open.call('POST', at, { name: 'Room', repositories });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    name: 'Room',
    mode: 'chat',
    repositories: [{ name: 'app', path: '/repos/app' }],
    agents: [],
    parentSpaceId: null,
    version: 1,
  });
  const { items } = (await open.call('GET', `${at}/${body.id}/conversations`)).body;
  expect(items).toMatchObject([{ id: body.mainConversationId, kind: 'main', spaceId: body.id }]);
});

test('a path that is no repository, and a name used twice, make no space', async () => {
  const before = (await open.call('GET', at)).body.items.length;
  const wrong = await open.call('POST', at, { name: 'x', repositories: [{ name: 'a', path: '/etc' }] });
  expect([wrong.status, wrong.body.code]).toEqual([422, 'not_a_repository']);
  const twice = [
    { name: 'a', path: '/repos/a' },
    { name: 'a', path: '/repos/b' },
  ];
  const answer = await open.call('POST', at, { name: 'x', repositories: twice });
  expect(answer.body.errors.faults.map(({ path }: { path: string }) => path)).toEqual([
    'repositories[1].name',
  ]);
  expect((await open.call('GET', at)).body.items.length).toBe(before);
});

test('people pick chat, plan and orchestrate; review is set by services alone', async () => {
  const { id } = (await open.call('POST', at, { name: 'Modes' })).body;
  for (const mode of ['plan', 'orchestrate', 'chat']) {
    expect((await open.call('PATCH', `${at}/${id}`, { mode })).body.mode).toBe(mode);
  }
  expect((await open.call('PATCH', `${at}/${id}`, { mode: 'review' })).status).toBe(403);
  expect((await open.call('POST', at, { name: 'Review', mode: 'review' })).status).toBe(403);
  const byService = await open.call('POST', at, { name: 'Review', mode: 'review' }, 'service:orchestration');
  expect([byService.status, byService.body.mode]).toEqual([201, 'review']);
  expect((await open.call('PATCH', `${at}/${id}`, { mode: 'review' }, 'service:runs')).body.mode).toBe(
    'review',
  );
});

test('a change is told once, a repeated one not at all, a stale one is refused', async () => {
  const { id } = (await open.call('POST', at, { name: 'Versions' })).body;
  const change = (body: object) => open.call('PATCH', `${at}/${id}`, body);
  expect((await change({ mode: 'plan', version: 1 })).body.version).toBe(2);
  expect((await change({ mode: 'plan' })).body.version).toBe(2);
  expect((await change({ mode: 'chat', version: 1 })).body.code).toBe('conflict');
  const events = (await open.events(ws, 'space.changed')).filter(({ subject }) => subject === id);
  expect(events.map(({ data }) => data)).toEqual([{ mode: 'plan', version: 2 }]);
});

test('a name that would read as another is refused with one fault that says where; one from before is shown', async () => {
  for (const [name, message] of [
    [
      'Pay\u202e roll',
      'has U+202E as character 4, which is not seen or turns the direction of what follows; leave it out',
    ],
    ['\u200d', 'must not be blank'],
    [' ', 'must not be blank'],
  ]) {
    const { status, body } = await open.call('POST', at, { name });
    expect([status, body.errors.faults]).toEqual([400, [{ path: 'name', message }]]);
  }
  const { id } = (await open.call('POST', at, { name: 'R\u00e9sum\u00e9 \u{1f469}\u200d\u{1f4bb}' })).body;
  const database = await open.deps.databases.open(ws);
  await database.write('old', [{ sql: 'UPDATE spaces SET name = ? WHERE id = ?', args: ['Pay\u202e', id] }]);
  expect((await open.call('GET', `${at}/${id}`)).body.name).toBe('Pay\u202e');
  expect((await open.call('PATCH', `${at}/${id}`, { mode: 'plan' })).status).toBe(200);
});
