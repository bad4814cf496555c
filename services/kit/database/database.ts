import { type Client, createClient, type InStatement, type InValue, type ResultSet } from '@libsql/client';
import { drizzle, type SqliteRemoteDatabase } from 'drizzle-orm/sqlite-proxy';
import { Fault, hasFaultCode } from '../fault.ts';
import { databaseFault } from './database-fault.ts';

export interface Statement {
  sql: string;
  args: readonly unknown[];
}
/** A raw statement or a drizzle query; drizzle queries are only built here, never run on their own. */
export type Writable = Statement | { toSQL(): { sql: string; params: unknown[] } };
export type Row = Record<string, unknown>;
export interface WriteResult {
  rows: Row[];
  rowsAffected: number;
}

export interface DatabaseOptions {
  /** Called with `<label>:before` and `<label>:after` around every commit; a crash test kills the process there. */
  onPoint?: ((name: string) => void) | undefined;
  /** Called after every commit. */
  onCommit?: (() => void) | undefined;
  /** How long to go on through SQLITE_BUSY before giving up. */
  busyLimitMs?: number;
}

const BUSY_WAIT_MS = 25;
const YIELD_EVERY = 32;
/** Writes that share one transaction at most. */
const MOST_TOGETHER = 64;

interface AskedWrite {
  batch: InStatement[];
  resolve(results: ResultSet[]): void;
  reject(error: unknown): void;
}

/**
 * The only door to libSQL. libsql loses acknowledged writes on a connection that met SQLITE_BUSY, blocks the event
 * loop while it waits, and dead-locks on interactive transactions; so: one transaction at a time per file, a short
 * busy timeout with asynchronous retry, a new connection after any failure that is not a constraint, no interactive
 * transaction. Writes that are asked for in the same moment share a transaction, and with it the wait for the disk.
 */
export class Database {
  readonly #client: Client;
  readonly #options: DatabaseOptions;
  #tail: Promise<unknown> = Promise.resolve();
  #asked: AskedWrite[] = [];
  #calls = 0;
  #pending = 0;
  #isStale = false;
  reconnects = 0;
  /** drizzle for reading; a write through it is refused, since it would miss the event and the point hooks. */
  readonly orm: SqliteRemoteDatabase<Record<string, never>>;

  private constructor(
    readonly url: string,
    client: Client,
    options: DatabaseOptions,
  ) {
    this.#client = client;
    this.#options = options;
    this.orm = drizzle(async (sql, params, method) => this.#ormRead(sql, params, method));
  }

  static async open(url: string, options: DatabaseOptions = {}): Promise<Database> {
    const client = clientOf(url);
    try {
      const database = new Database(url, client, options);
      await database.#run(async () => {
        if (url.startsWith('file:')) await client.execute('PRAGMA journal_mode=WAL');
        await database.#prepareConnection();
      });
      return database;
    } catch (error) {
      client.close();
      throw databaseFault(error, url);
    }
  }

  get idle(): boolean {
    return this.#pending === 0;
  }

  async read(statement: Statement): Promise<Row[]> {
    const result = await this.#run(() => this.#client.execute(inStatement(statement)));
    return result.rows as unknown as Row[];
  }

  /**
   * Commits all statements in one transaction, or none; other writes may be part of it, but a write that cannot be made
   * fails alone. `label` names the commit point (`ticket.create`).
   * @throws Fault disk_full, database_corrupt, database_busy, conflict (a constraint)
   */
  async write(label: string, statements: readonly Writable[]): Promise<WriteResult[]> {
    const batch = statements.map((statement) => inStatement(asStatement(statement)));
    this.#options.onPoint?.(`${label}:before`);
    const results = await this.#commit(batch);
    this.#options.onPoint?.(`${label}:after`);
    return results.map((result) => ({
      rows: result.rows as unknown as Row[],
      rowsAffected: result.rowsAffected,
    }));
  }

  close(): void {
    this.#client.close();
  }

  async #ormRead(sql: string, params: unknown[], method: 'run' | 'all' | 'values' | 'get') {
    if (method === 'run')
      throw new Fault('internal', 'Writes go through Database.write, which commits them with their event.');
    const result = await this.#run(() => this.#client.execute(inStatement({ sql, args: params })));
    const rows = result.rows.map((row) => result.columns.map((_, i) => row[i]));
    return { rows: method === 'get' ? (rows[0] as unknown[]) : rows };
  }

  #run<T>(call: () => Promise<T>): Promise<T> {
    return this.#exclusive(() => this.#persist(call));
  }

  #exclusive<T>(call: () => Promise<T>): Promise<T> {
    this.#pending++;
    const turn = this.#tail.then(call);
    this.#tail = turn.catch(() => undefined);
    return turn.finally(() => this.#pending--);
  }

  #commit(batch: InStatement[]): Promise<ResultSet[]> {
    const { promise, resolve, reject } = Promise.withResolvers<ResultSet[]>();
    this.#asked.push({ batch, resolve, reject });
    // The first of them takes its turn for all that come until then.
    if (this.#asked.length === 1) void this.#exclusive(() => this.#commitAsked());
    return promise;
  }

  /** Never rejects. */
  async #commitAsked(): Promise<void> {
    // Whatever else became ready in this turn of the event loop gets to ask.
    await new Promise((resolve) => setImmediate(resolve));
    const group = this.#asked.splice(0, MOST_TOGETHER);
    // What comes from now on takes a turn of its own, behind the reads that wait.
    if (this.#asked.length > 0) void this.#exclusive(() => this.#commitAsked());
    const isWhole = await this.#commitTogether(group);
    if (!isWhole) for (const write of group) await this.#commitTogether([write]);
  }

  /** False when it could not be made, and each of the group may be made alone. */
  async #commitTogether(group: readonly AskedWrite[]): Promise<boolean> {
    try {
      const batch = group.flatMap((write) => write.batch);
      const results = await this.#persist(() => this.#client.batch(batch, 'write'));
      let from = 0;
      for (const { batch: own, resolve } of group) {
        resolve(results.slice(from, from + own.length));
        from += own.length;
      }
      this.#options.onCommit?.();
      return true;
    } catch (error) {
      if (group.length > 1 && !hasFaultCode(error, 'database_busy')) return false;
      for (const write of group) write.reject(error);
      return true;
    }
  }

  async #persist<T>(call: () => Promise<T>): Promise<T> {
    if (++this.#calls % YIELD_EVERY === 0) await new Promise((resolve) => setImmediate(resolve));
    const giveUpAt = Date.now() + (this.#options.busyLimitMs ?? 30_000);
    for (let attempt = 0; ; attempt++) {
      try {
        if (this.#isStale) await this.#reconnect();
        return await call();
      } catch (error) {
        const code = String((error as { code?: unknown }).code);
        if (code.startsWith('SQLITE_CONSTRAINT')) throw databaseFault(error, this.url);
        this.#isStale = true;
        // On a full or broken disk this fails too; then the next call begins with it, and the first error is the one told.
        await this.#reconnect().catch(() => undefined);
        if (!code.startsWith('SQLITE_BUSY') || Date.now() > giveUpAt) throw databaseFault(error, this.url);
        await Bun.sleep(2 + Math.random() * Math.min(40, 4 * (attempt + 1)));
      }
    }
  }

  async #reconnect(): Promise<void> {
    this.reconnects++;
    const client = this.#client as Client & { reconnect?: () => Promise<void> | void };
    await client.reconnect?.();
    await this.#prepareConnection();
    this.#isStale = false;
  }

  async #prepareConnection(): Promise<void> {
    if (!this.url.startsWith('file:')) return;
    await this.#client.execute('PRAGMA synchronous=FULL');
    await this.#client.execute('PRAGMA foreign_keys=ON');
  }
}

function clientOf(url: string): Client {
  try {
    return createClient({ url, concurrency: 1, timeout: BUSY_WAIT_MS } as Parameters<typeof createClient>[0]);
  } catch (error) {
    throw databaseFault(error, url);
  }
}

function asStatement(statement: Writable): Statement {
  if (!('toSQL' in statement)) return statement;
  const { sql, params } = statement.toSQL();
  return { sql, args: params };
}

// libsql binds a JS number as REAL on files ("1.0" in a TEXT column) but as INTEGER over HTTP; a bigint is the same on both.
function inStatement(statement: Statement): InStatement {
  return { sql: statement.sql, args: statement.args.map(bindable) };
}

function bindable(value: unknown): InValue {
  if (value === undefined) throw new Fault('internal', 'An undefined value was bound to a statement.');
  return (Number.isSafeInteger(value) ? BigInt(value as number) : value) as InValue;
}
