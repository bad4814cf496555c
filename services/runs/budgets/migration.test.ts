import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../kit/database/database.ts';
import { migrate } from '../../kit/database/migrate.ts';
import { MIGRATIONS } from '../migrations.ts';
import { findBudget } from './overview.ts';

const directory = mkdtempSync(join(tmpdir(), 'budgets-migration-'));
let database: Database;
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true, force: true });
});

test('budgets of before keep their cap, what is spent, and what was said of them', async () => {
  database = await Database.open(`file:${join(directory, 'old.db')}`);
  const before = MIGRATIONS.migrations.filter(({ stamp }) => stamp < '20261130-06');
  await migrate(database, { ...MIGRATIONS, migrations: before });
  const insert =
    'INSERT INTO budgets (scope, capMicros, spentMicros, unknownCalls, warnedAt, reachedAt, createdAt)';
  await database.write('test', [
    {
      sql: `${insert} VALUES ('orc_1', 900, 800, 0, 5, NULL, 1), ('orc_2', NULL, 70, 2, NULL, NULL, 1)`,
      args: [],
    },
  ]);
  await migrate(database, MIGRATIONS);
  const none = { reservedMicros: 0, unknownMicros: 0 };
  expect(await findBudget(database, 'orc_1', 0)).toEqual({
    ...{ target: 'orc_1', scope: 'orc_1', capMicros: 900, spentMicros: 800, unknownCalls: 0, ...none },
  });
  expect(await findBudget(database, 'orc_2', 0)).toMatchObject({
    capMicros: null,
    spentMicros: 70,
    unknownCalls: 2,
  });
  const said = await database.read({
    sql: 'SELECT warnedCapMicros, reachedCapMicros FROM budgets WHERE scope = ?',
    args: ['orc_1'],
  });
  expect(said.map((row) => [row.warnedCapMicros, row.reachedCapMicros])).toEqual([[900, null]]);
});
