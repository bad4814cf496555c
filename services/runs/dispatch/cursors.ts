import type { Database } from '../../kit/database/database.ts';
import type { Log } from '../../kit/log.ts';

const DELAY_MS = 500;

/** How far a listener has come; 0 before its first event. */
export async function readCursor(database: Database, name: string): Promise<number> {
  const [row] = await database.read({ sql: 'SELECT seq FROM runsCursors WHERE name = ?', args: [name] });
  return Number(row?.seq ?? 0);
}

/**
 * A cursor that is written a while after it moved, so that it keeps out of the way of what was just woken. For a listener
 * that does nothing new when it handles an event again.
 */
export class LazyCursor {
  #seq = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly open: () => Promise<Database>,
    private readonly name: string,
    private readonly log: Log,
  ) {}

  move(seq: number): void {
    this.#seq = seq;
    this.#timer ??= setTimeout(() => void this.#write(), DELAY_MS);
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #write(): Promise<void> {
    this.#timer = null;
    try {
      // Only ever forward.
      const sql =
        'INSERT INTO runsCursors VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET seq = max(seq, excluded.seq)';
      await (await this.open()).write('runs.cursor', [{ sql, args: [this.name, this.#seq] }]);
    } catch (error) {
      this.log.warn(
        { err: error, cursor: this.name },
        'a cursor was not moved; events since will be handled again',
      );
    }
  }
}
