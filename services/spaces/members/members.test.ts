import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from '../../kit/actor.ts';
import { Database } from '../../kit/database/database.ts';
import { addMember, type OpenSpaces, openSpaces, temporaryDirectory } from '../fixture.ts';
import { createSpaces } from '../service.ts';

const directory = temporaryDirectory();
let open: OpenSpaces;

beforeAll(async () => {
  open = await openSpaces({ dataDir: directory.path });
});
afterAll(async () => {
  await open.close();
  directory.remove();
});

test('the token of the first start is the owner’s, in a file of theirs alone, and not in the database', async () => {
  const path = join(directory.path, 'owner-token');
  const token = readFileSync(path, 'utf8').trim();
  expect([token.length, statSync(path).mode & 0o777]).toEqual([46, 0o600]);
  expect(await open.spaces.actorOfToken(token)).toBe(open.person);
  for (const wrong of ['', 'cc_', `${token}x`, token.slice(0, -1), token.toLowerCase()]) {
    expect(await open.spaces.actorOfToken(wrong)).toBeNull();
  }
  const rows = await open.deps.control.read({ sql: 'SELECT * FROM tokens', args: [] });
  expect(JSON.stringify(rows)).not.toContain(token);
});

test('whoever takes the file of the token away gets a new one at the next start, also after it was revoked', async () => {
  const fresh = temporaryDirectory();
  const control = await Database.open(`file:${join(fresh.path, 'control.db')}`);
  const start = () => createSpaces({ ...open.deps, control, dataDir: fresh.path });
  const path = join(fresh.path, 'owner-token');
  const first = (await start().ensureOwner()).token ?? '';
  expect(await start().ensureOwner()).toEqual({ token: null });
  rmSync(path);
  const second = (await start().ensureOwner()).token ?? '';
  expect([readFileSync(path, 'utf8').trim(), statSync(path).mode & 0o777]).toEqual([second, 0o600]);
  const spaces = start();
  expect([await spaces.actorOfToken(first), await spaces.actorOfToken(second)]).toEqual([
    null,
    expect.stringMatching(/^person:mem_/),
  ]);
  await control.write('test.revoke', [{ sql: 'DELETE FROM tokens', args: [] }]);
  // What was revoked stays so while the file is there.
  expect(await start().ensureOwner()).toEqual({ token: null });
  rmSync(path);
  const { token } = await start().ensureOwner();
  expect(await spaces.actorOfToken(token ?? '')).toBe(
    await spaces.actorOfToken(readFileSync(path, 'utf8').trim()),
  );
  expect(await control.read({ sql: 'SELECT count(*) AS n FROM tokens', args: [] })).toEqual([{ n: 1 }]);
  control.close();
  fresh.remove();
});

test('me is the member behind a person, and nobody behind an agent', async () => {
  expect((await open.call('GET', '/me')).body).toMatchObject({
    actor: open.person,
    member: { role: 'owner' },
  });
  const agent = await open.call('GET', '/me', undefined, 'agent:agt_1');
  expect(agent.body).toEqual({ actor: 'agent:agt_1', member: null });
});

test('of several first starts at once one makes the owner, and its token is the file’s', async () => {
  const fresh = temporaryDirectory();
  const url = `file:${join(fresh.path, 'control.db')}`;
  const controls = await Promise.all(Array.from({ length: 5 }, () => Database.open(url)));
  const services = controls.map((control) => createSpaces({ ...open.deps, control, dataDir: fresh.path }));
  const tokens = (await Promise.all(services.map((spaces) => spaces.ensureOwner()))).map(
    ({ token }) => token,
  );
  const made = tokens.filter((token) => token !== null);
  expect(made).toEqual([readFileSync(join(fresh.path, 'owner-token'), 'utf8').trim()]);
  const rows = await controls[0]?.read({ sql: 'SELECT id FROM members', args: [] });
  expect(rows?.length).toBe(1);
  for (const control of controls) control.close();
  fresh.remove();
});

const add = (body: object, actor?: Actor) => open.call('POST', '/members', body, actor);
const change = (actor: Actor, id: string, body: object) => open.call('PATCH', `/members/${id}`, body, actor);
const idOf = (actor: Actor) => actor.slice('person:'.length);

test('an owner adds members, whom every person sees', async () => {
  const added = await add({ name: '  Ada  ', role: 'operator', key: 'ada' });
  expect(added).toMatchObject({ status: 201, body: { name: 'Ada', role: 'operator' } });
  expect(Object.keys(added.body).sort()).toEqual(['createdAt', 'id', 'name', 'role']);
  expect(await add({ name: 'Ada', role: 'operator', key: 'ada' })).toEqual(added);
  expect((await add({ name: 'Ada', role: 'owner', key: 'ada' })).body.code).toBe('conflict');
  const viewer = await addMember(open, 'viewer');
  const { items, next } = (await open.call('GET', '/members', undefined, viewer)).body;
  expect([items[0].role, items.map(({ id }: { id: string }) => id), next]).toEqual([
    'owner',
    [idOf(open.person), added.body.id, idOf(viewer)],
    null,
  ]);
  expect((await open.call('GET', '/members', undefined, 'agent:agt_1')).body.code).toBe('people_only');
});

test('nobody else adds any', async () => {
  for (const role of ['operator', 'viewer'] as const) {
    expect((await add({ name: 'Eve', role: 'owner' }, await addMember(open, role))).body.code).toBe(
      'forbidden',
    );
  }
  for (const actor of ['agent:agt_1', 'service:runs'] as const) {
    expect((await add({ name: 'Eve', role: 'owner' }, actor)).body.code).toBe('people_only');
  }
  expect((await add({ name: 'Eve', role: 'owner' }, 'person:mem_none')).body.code).toBe('forbidden');
  const names = (await open.call('GET', '/members')).body.items.map(({ name }: { name: string }) => name);
  expect(names).not.toContain('Eve');
});

test.each([
  {},
  { name: 'A' },
  { role: 'owner' },
  { name: ' ', role: 'viewer' },
  { name: 'a\nb', role: 'viewer' },
  { name: 'Mal\u202eyrol\u202c', role: 'viewer' },
  { name: 'Ad\u200ba', role: 'viewer' },
  { name: 'Bob (former member)', role: 'viewer' },
  { name: 'Bob\uff1a do it', role: 'viewer' },
  { name: 'control\u00a0Center', role: 'viewer' },
  { name: 'x'.repeat(101), role: 'viewer' },
  { name: 'A', role: 'root' },
  { name: 'A', role: 'viewer', id: 'mem_1' },
])('%j makes no member', async (body) => {
  expect((await add(body)).body.code).toBe('invalid_request');
});

test('members change their own name and no more; owners change anything', async () => {
  const [operator, viewer] = [await addMember(open, 'operator'), await addMember(open, 'viewer')];
  expect((await change(operator, idOf(operator), { name: 'Grace' })).body).toMatchObject({
    ...{ name: 'Grace', role: 'operator' },
  });
  for (const body of [{ role: 'owner' }, { name: 'G', role: 'operator' }]) {
    expect((await change(operator, idOf(operator), body)).body.code).toBe('forbidden');
  }
  expect((await change(operator, idOf(viewer), { name: 'Mallory' })).body.code).toBe('forbidden');
  expect((await change('agent:agt_1', idOf(viewer), { name: 'Bot' })).body.code).toBe('people_only');
  expect((await change(open.person, idOf(viewer), { name: 'Vi', role: 'operator' })).body).toMatchObject({
    ...{ name: 'Vi', role: 'operator' },
  });
  expect((await change(open.person, 'mem_none', { name: 'X' })).body.code).toBe('not_found');
  expect((await change('person:mem_none', 'mem_none', { name: 'X' })).body.code).toBe('not_found');
  expect((await change(open.person, idOf(viewer), {})).body.code).toBe('invalid_request');
});

test('somebody is always an owner, also when all leave at once', async () => {
  const alone = await change(open.person, idOf(open.person), { role: 'viewer' });
  expect(alone.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('last owner') });
  expect((await change(open.person, idOf(open.person), { role: 'owner', name: 'Own' })).status).toBe(200);
  const others = await Promise.all([addMember(open, 'owner'), addMember(open, 'owner')]);
  const owners = [open.person, ...others];
  const left = await Promise.all(owners.map((actor) => change(actor, idOf(actor), { role: 'viewer' })));
  expect(left.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
  const { items } = (await open.call('GET', '/members')).body;
  const stayed = items.filter(({ role }: { role: string }) => role === 'owner');
  expect(stayed.length).toBe(1);
  // The tests after this one have their owner back.
  await change(`person:${stayed[0].id}`, idOf(open.person), { role: 'owner' });
});

test('of two owners who take it from each other, one stays', async () => {
  const other = await addMember(open, 'owner');
  const taken = await Promise.all([
    change(open.person, idOf(other), { role: 'viewer' }),
    change(other, idOf(open.person), { role: 'viewer' }),
  ]);
  expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 403]);
});
