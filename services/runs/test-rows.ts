import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, type Statement } from '../kit/database/database.ts';
import { migrate } from '../kit/database/migrate.ts';
import type { Entry } from './harness/journal.ts';
import { MIGRATIONS } from './migrations.ts';
import type { RunRow } from './runs/schema.ts';

/** A database of runs without a service, for tests that read rows made by hand. */
export interface RowsBench {
  database: Database;
  insert(...rows: GivenRow[]): Promise<void>;
  /** The entries of a run from its first on, each a millisecond after the one before, from `at`. */
  log(runId: string, at: number, ...entries: Entry[]): Promise<void>;
  close(): void;
}

export type GivenRow = Partial<RunRow> & { id: string };

const ROW: Partial<RunRow> = {
  ...{ agentId: 'agt_1', agentName: 'engineer', triggerKind: 'assignment', prompt: 'x', mode: 'chat' },
  ...{ profileVersion: 1, adapter: 'cc-harness', model: 'm', status: 'completed', phase: 'ended' },
  ...{ liveness: 'progressing', sandbox: 'none', createdAt: 1, startedAt: 1, endedAt: 2 },
};

export async function createRowsBench(): Promise<RowsBench> {
  const directory = mkdtempSync(join(tmpdir(), 'runs-rows-'));
  const database = await Database.open(`file:${join(directory, 'rows.db')}`);
  await migrate(database, MIGRATIONS);
  return {
    database,
    insert: async (...rows) => {
      await database.write('test.rows', rows.map(insertStatement));
    },
    log: async (runId, at, ...entries) => {
      const sql =
        'INSERT INTO runEntries (runId, seq, kind, messageId, entry, at) VALUES (?, ?, ?, NULL, ?, ?)';
      const statements = entries.map((entry, i) => ({
        ...{ sql, args: [runId, i + 1, entry.kind, JSON.stringify(entry), at + i] },
      }));
      await database.write('test.entries', statements);
    },
    close() {
      database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function insertStatement(row: GivenRow): Statement {
  const given = Object.entries({ tools: '[]', ...ROW, ...row });
  const names = given.map(([name]) => name).join(', ');
  const places = given.map(() => '?').join(', ');
  return { sql: `INSERT INTO runs (${names}) VALUES (${places})`, args: given.map(([, value]) => value) };
}
