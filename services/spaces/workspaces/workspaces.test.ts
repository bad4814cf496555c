import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRoster } from '../agents/roster.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { seedWorkspace } from './seed.ts';
import { findWorkspace } from './store.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

test('every workspace gets its own first agents, and none sees another’s', async () => {
  const [a, b] = [await readyWorkspace(open, 'A'), await readyWorkspace(open, 'B')];
  const ids = async (ws: string) =>
    (await open.call('GET', `/workspaces/${ws}/agents`)).body.items.map(({ id }: { id: string }) => id);
  const [ofA, ofB] = [await ids(a), await ids(b)];
  expect([ofA.length, ofB.length, new Set([...ofA, ...ofB]).size]).toEqual([5, 5, 10]);
  const listed = (await open.call('GET', '/workspaces')).body.items;
  expect(listed.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['A', 'ready'],
    ['B', 'ready'],
  ]);
});

test('a workspace answers at once, while its agents are still coming', async () => {
  const { status, body } = await open.call('POST', '/workspaces', { name: 'Soon' });
  expect([status, body.state]).toEqual([201, 'creating']);
  expect((await open.call('POST', `/workspaces/${body.id}/tickets`, { title: 'Early' })).status).toBe(201);
});

test('seeding again writes no row and no event, and every file anew', async () => {
  const ws = await readyWorkspace(open, 'Again');
  const root = join(directory.path, 'workspaces', ws, 'agents');
  const agents = (await open.call('GET', `/workspaces/${ws}/agents`)).body;
  const events = await open.events(ws);
  const original = readFileSync(join(root, 'qa', 'AGENTS.md'), 'utf8');
  writeFileSync(join(root, 'qa', 'AGENTS.md'), 'overwritten');
  rmSync(join(root, 'engineer'), { recursive: true });
  const workspace = await findWorkspace(open.deps.control, ws);
  await seedWorkspace(open.deps, createRoster(open.deps), workspace!);
  expect(readFileSync(join(root, 'qa', 'AGENTS.md'), 'utf8')).toBe(original);
  expect(readFileSync(join(root, 'engineer', 'AGENTS.md'), 'utf8')).toContain('Engineer');
  expect((await open.call('GET', `/workspaces/${ws}/agents`)).body).toEqual(agents);
  expect(await open.events(ws)).toEqual(events);
});

test('a workspace whose database is broken says so and holds up neither the start nor the others', async () => {
  const fresh = temporaryDirectory();
  const first = await openSpaces({ dataDir: fresh.path });
  const [broken, sound] = [await readyWorkspace(first, 'Broken'), await readyWorkspace(first, 'Sound')];
  await first.close();
  const file = join(fresh.path, 'workspaces', broken, 'workspace.db');
  // Another file of that name: a handle writes its log back into its own when it is collected, whenever that is.
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  writeFileSync(file, 'no database'.repeat(1000));
  const second = await openSpaces({ dataDir: fresh.path });
  const answer = await second.call('GET', `/workspaces/${broken}/tickets`);
  expect([answer.status, answer.body.code]).toEqual([500, 'database_corrupt']);
  expect((await second.call('GET', `/workspaces/${sound}/agents`)).body.items.length).toBe(5);
  await second.close();
  fresh.remove();
});

test('a person who hires a namesake while the agents are coming keeps theirs', async () => {
  const { body } = await open.call('POST', '/workspaces', { name: 'Namesake' });
  const own = await open.call('POST', `/workspaces/${body.id}/agents`, {
    name: 'librarian',
    title: 'My own',
  });
  const ws = body.id;
  const giveUpAt = Date.now() + 20_000;
  while ((await open.call('GET', `/workspaces/${ws}`)).body.state !== 'ready' && Date.now() < giveUpAt) {
    await open.deps.databases.wakes.wait(ws, 50);
  }
  const { items } = (await open.call('GET', `/workspaces/${ws}/agents`)).body;
  const [librarian] = items.filter(({ name }: { name: string }) => name === 'librarian');
  expect([own.status === 201, items.length, librarian.title === 'My own']).toEqual([true, 5, true]);
});
