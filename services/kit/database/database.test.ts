import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { Database } from './database.ts';

const directory = mkdtempSync(join(tmpdir(), 'database-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const t = sqliteTable('t', { id: integer().primaryKey(), v: text().notNull() });
const CREATE = { sql: 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL UNIQUE) STRICT', args: [] };
let files = 0;

async function fresh(options = {}): Promise<Database> {
  const database = await Database.open(`file:${join(directory, `${files++}.db`)}`, options);
  await database.write('create', [CREATE]);
  return database;
}

test('a batch commits whole or not at all', async () => {
  const database = await fresh();
  const insert = (v: string) => ({ sql: 'INSERT INTO t (v) VALUES (?)', args: [v] });
  await expect(database.write('two', [insert('a'), insert('a')])).rejects.toMatchObject({ code: 'conflict' });
  expect(await database.orm.select().from(t)).toEqual([]);
  await database.write('two', [insert('a'), insert('b')]);
  expect(await database.orm.select().from(t).where(eq(t.v, 'b'))).toEqual([{ id: 2, v: 'b' }]);
});

test('numbers stay integers in text and integer columns', async () => {
  const database = await fresh();
  await database.write('number', [{ sql: 'INSERT INTO t (id, v) VALUES (?, ?)', args: [7, 1] }]);
  expect(await database.read({ sql: 'SELECT v, typeof(id) AS kind FROM t', args: [] })).toMatchObject([
    { v: '1', kind: 'integer' },
  ]);
});

test('a write through drizzle is refused, so that no change misses its event', async () => {
  const database = await fresh();
  const failure = await database.orm
    .insert(t)
    .values({ v: 'x' })
    .then(
      () => null,
      (error: { cause?: { code?: string } }) => error.cause?.code ?? 'none',
    );
  expect(failure).toBe('internal');
});

test('commit points are named before and after', async () => {
  const points: string[] = [];
  const database = await fresh({ onPoint: (name: string) => points.push(name) });
  expect(points).toEqual(['create:before', 'create:after']);
  database.close();
});

test('a file that is no database is one clear fault and stays as it was', async () => {
  const path = join(directory, 'rubbish.db');
  writeFileSync(path, 'this is not a database, it only pretends to be one '.repeat(40));
  await expect(Database.open(`file:${path}`)).rejects.toMatchObject({ code: 'database_corrupt' });
  expect(await Bun.file(path).text()).toStartWith('this is not a database');
});

test('three processes write through busy errors and every acknowledged row survives kill -9', async () => {
  const database = await fresh();
  const writers = ['a', 'b', 'c'].map((name) =>
    Bun.spawn([process.execPath, join(import.meta.dir, 'hammer.child.ts'), database.url, name], {
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  const acknowledged = await Promise.all(writers.map((writer) => readLinesThenKill(writer, 200)));
  const kept = new Set((await database.orm.select().from(t)).map((row) => row.v));
  const all = acknowledged.flat();
  expect(all.length).toBeGreaterThanOrEqual(600);
  expect(all.filter((value) => !kept.has(value))).toEqual([]);
}, 60_000);

async function readLinesThenKill(
  writer: Bun.Subprocess<'ignore', 'pipe', 'inherit'>,
  count: number,
): Promise<string[]> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of writer.stdout) {
    text += decoder.decode(chunk);
    if (text.split('\n').length > count) writer.kill('SIGKILL');
  }
  await writer.exited;
  return text.split('\n').slice(0, -1);
}

test('50 concurrent writers all land', async () => {
  const database = await fresh();
  const other = await Database.open(database.url);
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      (i % 2 ? database : other).write('many', [{ sql: 'INSERT INTO t (v) VALUES (?)', args: [`w${i}`] }]),
    ),
  );
  expect(await database.read({ sql: 'SELECT count(*) AS n FROM t', args: [] })).toMatchObject([{ n: 50 }]);
});

test('writes of one moment share a transaction, and one that cannot be made fails alone', async () => {
  let commits = 0;
  const database = await fresh({ onCommit: () => commits++ });
  const insert = (v: string) => ({ sql: 'INSERT INTO t (v) VALUES (?) RETURNING v', args: [v] });
  const before = commits;
  const results = await Promise.all([
    database.write('a', [insert('a1'), insert('a2')]),
    database.write('b', [insert('b1')]),
  ]);
  expect(commits - before).toBe(1);
  expect(results.map((own) => own.flatMap(({ rows }) => rows.map((row) => row.v)))).toEqual([
    ['a1', 'a2'],
    ['b1'],
  ]);
  const settled = await Promise.allSettled([
    database.write('c', [insert('c1')]),
    database.write('d', [insert('d1'), insert('a1')]),
    database.write('e', [insert('e1')]),
  ]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await database.orm.select().from(t)).map(({ v }) => v)).toEqual(['a1', 'a2', 'b1', 'c1', 'e1']);
});

test('a read asked for after a write sees it, and changes() tells of its own write', async () => {
  const database = await fresh();
  const insert = (v: string) => ({ sql: 'INSERT OR IGNORE INTO t (v) VALUES (?)', args: [v] });
  const told = { sql: "INSERT INTO t (v) SELECT 'told' WHERE changes() > 0", args: [] };
  const writes = [database.write('a', [insert('a')]), database.write('none', [insert('a'), told])];
  expect(await database.read({ sql: 'SELECT v FROM t', args: [] })).toMatchObject([{ v: 'a' }]);
  await Promise.all(writes);
});

test('writes that go on and on hold up no read', async () => {
  const database = await fresh();
  let isOver = false;
  let written = 0;
  const writeOn = async (lane: number) => {
    while (!isOver) {
      await database.write('on', [{ sql: 'INSERT INTO t (v) VALUES (?)', args: [`${lane}-${written++}`] }]);
    }
  };
  const lanes = Array.from({ length: 100 }, (_, lane) => writeOn(lane));
  const counts: number[] = [];
  for (let i = 0; i < 20; i++) {
    const [row] = await database.read({ sql: 'SELECT count(*) AS n FROM t', args: [] });
    counts.push(Number(row?.n));
  }
  isOver = true;
  await Promise.all(lanes);
  // No more than a few turns of writes lie between two reads.
  const between = counts.slice(1).map((count, i) => count - (counts[i] ?? 0));
  expect(Math.max(...between)).toBeLessThanOrEqual(200);
  expect(await database.read({ sql: 'SELECT count(*) AS n FROM t', args: [] })).toMatchObject([
    { n: written },
  ]);
});
