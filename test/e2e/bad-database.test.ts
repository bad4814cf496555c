import { Database } from 'bun:sqlite';
import { afterEach, expect, test } from 'bun:test';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServerProcess } from './server-process.ts';
import { createWorld, founded, type Json, onWord, said, scriptOf, spaceWith, type World } from './world.ts';

let world: World;
afterEach(() => world.end());

const SCRIPT = scriptOf(onWord('hello', { text: 'Hello to you.' }));

/** How a file is spoilt: each time a whole database becomes something that is none, or not all of one. */
const SPOILS: [string, (path: string) => void][] = [
  ['garbage', (path) => writeFileSync(path, crypto.getRandomValues(new Uint8Array(20_000)))],
  [
    'a garbage head',
    (path) => writeFileSync(path, Buffer.concat([Buffer.alloc(100, 'x'), readFileSync(path).subarray(100)])),
  ],
  ['truncated', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2))],
  ['without a byte', (path) => truncateSync(path, 0)],
];

/** Moves what a database has beside its file into it, so that the file is all there is, and spoils that. */
function spoilt(path: string, spoil: (path: string) => void): Buffer {
  const database = new Database(path);
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  spoil(path);
  return readFileSync(path);
}

async function stop(): Promise<void> {
  world.server.kill('SIGTERM');
  await world.server.exited;
}

test.each(SPOILS)(
  'a control.db that is %s stops the start with its name, and is left as it is',
  async (_, spoil) => {
    world = await createWorld(SCRIPT);
    await founded(world, 'alpha');
    await stop();
    const path = join(world.stage.dataDir, 'control.db');
    const before = spoilt(path, spoil);
    const error = await startServerProcess(world.stage.env).then(() => 'it started', String);
    expect(error).toMatch(/\(status 1\): error: [^\n]*control\.db[^\n]* left untouched[^\n]*\n$/);
    expect(readFileSync(path).equals(before)).toBe(true);
  },
);

test('workspaces whose database is spoilt say so with its name, and the others work', async () => {
  world = await createWorld(SCRIPT);
  const good = await founded(world, 'good');
  const bad = await Promise.all(SPOILS.map(([name]) => founded(world, name)));
  const room = await spaceWith(world, good.ws, good.agents.ceo!);
  await said(world, good.ws, room, 'hello');
  await stop();
  const files = bad.map(({ id, ws }, i) => {
    const path = join(world.stage.dataDir, 'workspaces', id, 'workspace.db');
    return { path, ws, before: spoilt(path, SPOILS[i]![1]) };
  });
  await world.restart();
  for (const file of files) await expectCorrupt(file.ws, file.path);
  expect(await said(world, good.ws, room, 'hello again')).toMatchObject({ status: 'completed' });
  const { items } = await world.ok('GET', '/api/workspaces');
  expect(items.map((workspace: Json) => workspace.name).sort()).toEqual(
    [...SPOILS.map(([name]) => name), 'good'].sort(),
  );
  await founded(world, 'one more');
  await stop();
  for (const { path, before } of files) expect(readFileSync(path).equals(before)).toBe(true);
}, 20_000);

async function expectCorrupt(ws: string, path: string): Promise<void> {
  for (const noun of ['tickets', 'runs', 'orchestrations', 'events?follow=1']) {
    expect(await world.api('GET', `${ws}/${noun}`)).toMatchObject({
      status: 500,
      body: { code: 'database_corrupt', detail: expect.stringContaining(path) },
    });
  }
  const made = await world.api('POST', `${ws}/tickets`, { title: 'one more' });
  expect(made).toMatchObject({ status: 500, body: { code: 'database_corrupt' } });
}
