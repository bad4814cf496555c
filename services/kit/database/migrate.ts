import { Fault, hasFaultCode } from '../fault.ts';
import type { Database } from './database.ts';

/** `stamp` sorts as text and only grows (`20261130-01-tickets`); `sql` ends each statement with a semicolon at the end of a line. */
interface Migration {
  stamp: string;
  sql: string;
}
/** The tables of one owner in one database. */
export interface MigrationSet {
  owner: string;
  migrations: readonly Migration[];
}

const LEDGER = `CREATE TABLE IF NOT EXISTS migrations (
  owner TEXT NOT NULL, stamp TEXT NOT NULL, digest TEXT NOT NULL, appliedAt INTEGER NOT NULL, PRIMARY KEY (owner, stamp)
) STRICT`;

/**
 * Runs what is missing, forward, each migration whole or not at all; several processes may do it at once.
 * @throws Fault migration_changed, database_newer
 */
export async function migrate(database: Database, set: MigrationSet): Promise<void> {
  checkStamps(set);
  await database.write('migrate.ledger', [{ sql: LEDGER, args: [] }]);
  let applied = await appliedDigests(database, set.owner);
  checkKnown(set, applied);
  for (const migration of set.migrations) {
    const digest = digestOf(migration.sql);
    if (!applied.has(migration.stamp)) {
      await apply(database, set.owner, migration, digest);
      applied = await appliedDigests(database, set.owner);
    }
    if (applied.get(migration.stamp) !== digest) {
      throw new Fault(
        'migration_changed',
        `Migration ${set.owner}/${migration.stamp} was edited after it ran on ${database.url}. Restore its text and add a new migration instead.`,
      );
    }
  }
}

async function apply(database: Database, owner: string, migration: Migration, digest: string): Promise<void> {
  const ledgerRow = {
    sql: 'INSERT INTO migrations VALUES (?, ?, ?, ?)',
    args: [owner, migration.stamp, digest, Date.now()],
  };
  try {
    await database.write('migrate.apply', [ledgerRow, ...statementsOf(migration.sql)]);
  } catch (error) {
    // Another process won the ledger row; the digest comparison that follows judges what it ran.
    if (!hasFaultCode(error, 'conflict')) throw error;
  }
}

async function appliedDigests(database: Database, owner: string): Promise<Map<string, string>> {
  const rows = await database.read({
    sql: 'SELECT stamp, digest FROM migrations WHERE owner = ?',
    args: [owner],
  });
  return new Map(rows.map((row) => [String(row.stamp), String(row.digest)]));
}

function checkKnown(set: MigrationSet, applied: Map<string, string>): void {
  const known = new Set(set.migrations.map((migration) => migration.stamp));
  const foreign = [...applied.keys()].filter((stamp) => !known.has(stamp));
  if (foreign.length === 0) return;
  throw new Fault(
    'database_newer',
    `The database was used by a newer version (migrations ${foreign.join(', ')} of ${set.owner}). Start that version or restore a backup.`,
  );
}

/** Stamps must grow, or a migration written late would be skipped on databases that are already ahead. */
function checkStamps(set: MigrationSet): void {
  set.migrations.forEach((migration, i) => {
    const before = set.migrations[i - 1];
    if (before && before.stamp >= migration.stamp) {
      throw new Fault(
        'invalid_configuration',
        `Migration stamps of ${set.owner} must grow: ${migration.stamp} follows ${before.stamp}.`,
      );
    }
  });
}

function statementsOf(sql: string) {
  return sql
    .split(/;[ \t]*(?:\r?\n|$)/)
    .map((text) => text.trim())
    .filter((text) => text.length > 0)
    .map((text) => ({ sql: text, args: [] }));
}

function digestOf(sql: string): string {
  return new Bun.CryptoHasher('sha256').update(sql).digest('hex');
}
