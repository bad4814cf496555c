import type { Database } from '../../kit/database/database.ts';

const NAME = 'events';

/** How far the workspace's events have been handled. */
export async function readCursor(database: Database): Promise<number> {
  const [row] = await database.read({
    sql: 'SELECT seq FROM orchestrationCursors WHERE name = ?',
    args: [NAME],
  });
  return Number(row?.seq ?? 0);
}

export async function saveCursor(database: Database, seq: number): Promise<void> {
  await database.write('orchestration.cursor', [
    {
      sql: `INSERT INTO orchestrationCursors (name, seq) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET seq = excluded.seq WHERE excluded.seq > orchestrationCursors.seq`,
      args: [NAME, seq],
    },
  ]);
}
