import type { Database } from '../../kit/database/database.ts';

/** How far a listener has come; 0 before its first event. */
export async function readCursor(database: Database, name: string): Promise<number> {
  const [row] = await database.read({ sql: 'SELECT seq FROM runsCursors WHERE name = ?', args: [name] });
  return Number(row?.seq ?? 0);
}

/** Only ever moves forward. */
export async function writeCursor(database: Database, name: string, seq: number): Promise<void> {
  await database.write('runs.cursor', [
    {
      sql: `INSERT INTO runsCursors VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = max(seq, excluded.seq)`,
      args: [name, seq],
    },
  ]);
}
