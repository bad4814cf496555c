import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasFaultCode } from '../fault.ts';
import { type RequestSource, withSource } from '../source.ts';
import { Wakes } from '../wakes.ts';
import { Database } from './database.ts';
import {
  EVENT_MIGRATIONS,
  eventIfChanged,
  eventStatement,
  followEvents,
  type NewEvent,
  readEvents,
} from './event-log.ts';
import { migrate } from './migrate.ts';
import { WorkspaceDatabases } from './workspace-databases.ts';

const directory = mkdtempSync(join(tmpdir(), 'workspace-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
let count = 0;
const url = () => `file:${join(directory, `${count++}.db`)}`;
const happening = (subject: string): NewEvent => ({
  at: 1,
  actor: 'service:test',
  type: 'thing.done',
  subject,
  data: {},
});

const first = { stamp: '20260101-01', sql: "CREATE TABLE a (x TEXT) STRICT;\nINSERT INTO a VALUES ('1');" };
const second = { stamp: '20260102-01', sql: 'CREATE TABLE b (x TEXT) STRICT;' };

test('migrations run forward once, whole, and by several at a time', async () => {
  const file = url();
  const databases = await Promise.all([Database.open(file), Database.open(file), Database.open(file)]);
  await Promise.all(databases.map((database) => migrate(database, { owner: 'o', migrations: [first] })));
  await migrate(databases[0]!, { owner: 'o', migrations: [first, second] });
  expect(await databases[0]!.read({ sql: 'SELECT count(*) AS n FROM a', args: [] })).toMatchObject([
    { n: 1 },
  ]);
  await expect(migrate(databases[0]!, { owner: 'o', migrations: [first] })).rejects.toMatchObject({
    code: 'database_newer',
  });
  const edited = { ...first, sql: `${first.sql}\n` };
  await expect(migrate(databases[0]!, { owner: 'o', migrations: [edited, second] })).rejects.toMatchObject({
    code: 'migration_changed',
  });
  await expect(migrate(databases[0]!, { owner: 'o', migrations: [second, first] })).rejects.toMatchObject({
    code: 'invalid_configuration',
  });
});

test('a failing migration leaves nothing behind', async () => {
  const database = await Database.open(url());
  const broken = {
    stamp: '20260101-01',
    sql: 'CREATE TABLE c (x TEXT) STRICT;\nCREATE TABLE c (x TEXT) STRICT;',
  };
  await expect(migrate(database, { owner: 'o', migrations: [broken] })).rejects.toThrow();
  await migrate(database, {
    owner: 'o',
    migrations: [{ ...broken, sql: 'CREATE TABLE c (x TEXT) STRICT;' }],
  });
});

test('an event of a compare-and-set is written only when something changed', async () => {
  const database = await Database.open(url());
  await migrate(database, EVENT_MIGRATIONS);
  await migrate(database, { owner: 'o', migrations: [first] });
  const change = (from: string) => ({ sql: 'UPDATE a SET x = ? WHERE x = ?', args: ['2', from] });
  await database.write('change', [
    change('9'),
    eventIfChanged(happening('no')),
    eventIfChanged(happening('no')),
  ]);
  await database.write('change', [
    change('1'),
    eventIfChanged(happening('yes')),
    eventIfChanged(happening('too')),
  ]);
  expect((await readEvents(database, 0)).map((event) => event.subject)).toEqual(['yes', 'too']);
});

test('a follower sees each event once, in order, from any point, also those of another process', async () => {
  const file = url();
  const database = await Database.open(file);
  const other = await Database.open(file);
  await migrate(database, EVENT_MIGRATIONS);
  const abort = new AbortController();
  const seen: string[] = [];
  const wakes = new Wakes();
  const following = (async () => {
    for await (const event of followEvents(async () => database, wakes, 'ws', 3, abort.signal, 20)) {
      seen.push(event.subject);
      if (seen.length === 47) abort.abort();
    }
  })();
  for (let i = 1; i <= 50; i++) {
    await (i % 2 ? database : other).write('event', [eventStatement(happening(`s${i}`))]);
    if (i % 2) wakes.wake('ws');
  }
  await following;
  expect(seen).toEqual(Array.from({ length: 47 }, (_, i) => `s${i + 4}`));
});

test('a workspace is found by its own id only, and opened once', async () => {
  const wakes = new Wakes();
  const databases = new WorkspaceDatabases({
    dataDir: join(directory, 'data'),
    migrations: [],
    wakes,
    maxOpen: 2,
  });
  for (const bad of ['ws_none', '../../etc', 'ws_a/../b', '']) {
    expect(() => databases.open(bad)).toThrow('There is no workspace');
  }
  const a = await databases.create('ws_a');
  expect(await databases.open('ws_a')).toBe(a);
  for (const id of ['ws_b', 'ws_c', 'ws_d']) await databases.create(id);
  expect(databases.list().sort()).toEqual(['ws_a', 'ws_b', 'ws_c', 'ws_d']);
  const again = await databases.open('ws_a');
  await again.write('event', [eventStatement(happening('x'))]);
  expect(await readEvents(again, 0)).toHaveLength(1);
  await databases.close();
});

test('the log takes new events only: none is changed, removed or replaced', async () => {
  const database = await Database.open(url());
  await migrate(database, EVENT_MIGRATIONS);
  const source: RequestSource = { via: 'http', address: '127.0.0.1', agent: null };
  await withSource('service:test', source, () => database.write('one', [eventStatement(happening('a'))]));
  await database.write('two', [eventStatement(happening('b'))]);
  const rows = () => database.read({ sql: 'SELECT * FROM events ORDER BY seq', args: [] });
  const before = await rows();
  expect(before.map((row) => row.source)).toEqual([JSON.stringify(source), null]);
  for (const sql of [
    "UPDATE events SET actor = 'person:mem_1'",
    'DELETE FROM events WHERE seq = 2',
    `INSERT OR REPLACE INTO events (seq, at, actor, type, subject, data) VALUES (1, 1, 'x', 'x', 'x', '{}')`,
    `INSERT INTO events (seq, at, actor, type, subject, data) VALUES (1, 1, 'x', 'x', 'x', '{}')
      ON CONFLICT DO UPDATE SET actor = excluded.actor`,
  ]) {
    const refused = await database.write('forge', [{ sql, args: [] }]).catch((error: unknown) => error);
    expect([sql, hasFaultCode(refused, 'conflict')]).toEqual([sql, true]);
  }
  expect(await rows()).toEqual(before);
  database.close();
});
