import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '../../kit/database/database.ts';
import { type OpenSpaces, openSpaces, temporaryDirectory } from '../fixture.ts';
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
