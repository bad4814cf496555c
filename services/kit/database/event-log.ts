import type { Actor } from '../actor.ts';
import { sourceOf } from '../source.ts';
import type { Wakes } from '../wakes.ts';
import appendOnly from './append-only.sql' with { type: 'text' };
import type { Database, Row, Statement } from './database.ts';
import type { MigrationSet } from './migrate.ts';

/** One change of a workspace. `seq` grows by commit order; `subject` is the id of what changed. */
export interface WorkspaceEvent {
  seq: number;
  at: number;
  actor: Actor;
  type: string;
  subject: string;
  data: Record<string, unknown>;
}
export type NewEvent = Omit<WorkspaceEvent, 'seq'>;

export const EVENT_MIGRATIONS: MigrationSet = {
  owner: 'kit',
  migrations: [
    {
      stamp: '20261130-01-events',
      sql: `CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, actor TEXT NOT NULL, type TEXT NOT NULL,
        subject TEXT NOT NULL, data TEXT NOT NULL
      ) STRICT;`,
    },
    { stamp: '20261130-02-append-only', sql: appendOnly },
  ],
};

const INSERT = 'INSERT INTO events (at, actor, type, source, subject, data)';

function columns({ at, actor, type, subject, data }: NewEvent) {
  return [...head({ at, actor, type }), subject, JSON.stringify(data)];
}

function head({ at, actor, type }: Pick<NewEvent, 'at' | 'actor' | 'type'>) {
  const source = sourceOf(actor);
  return [at, actor, type, source && JSON.stringify(source)];
}

/** The event's row, for the same batch as the change it tells of. */
export function eventStatement(event: NewEvent): Statement {
  return { sql: `${INSERT} VALUES (?, ?, ?, ?, ?, ?)`, args: columns(event) };
}

/**
 * The same, but only when the statement just before it in the batch changed a row: the event of a compare-and-set or of
 * an insert that may already be there. Several may follow each other; all are written or none.
 */
export function eventIfChanged(event: NewEvent): Statement {
  return { sql: `${INSERT} SELECT ?, ?, ?, ?, ?, ? WHERE changes() > 0`, args: columns(event) };
}

/** Rows of the same batch from which events are made: SQL expressions for subject and data, and where they stand. */
export interface EventRows {
  subject: string;
  data: string;
  from: string;
  /** Of the placeholders in the three, in their order. */
  args: readonly unknown[];
}

/** An event for each of the rows, with what they hold when the statement's turn comes. */
export function eventsOfRows(event: Pick<NewEvent, 'at' | 'actor' | 'type'>, rows: EventRows): Statement {
  return {
    sql: `${INSERT} SELECT ?, ?, ?, ?, ${rows.subject}, ${rows.data} FROM ${rows.from}`,
    args: [...head(event), ...rows.args],
  };
}

const PAGE = 200;
/** Without a wake in between, a look is shared for so long: commits of other processes may come unannounced. */
const SAME_LOOK_MS = 20;

interface Look {
  afterSeq: number;
  wake: number;
  at: number;
  events: Promise<WorkspaceEvent[]>;
}
const looks = new WeakMap<Database, Look>();

/** A page of events for followers: those who stand at the same event and look after the same wake share one read. */
function lookAfter(database: Database, afterSeq: number, wake: number): Promise<WorkspaceEvent[]> {
  const last = looks.get(database);
  const at = performance.now();
  const isSame = last?.afterSeq === afterSeq && last.wake === wake && at - last.at < SAME_LOOK_MS;
  if (isSame) return last.events;
  const events = readEvents(database, afterSeq);
  looks.set(database, { afterSeq, wake, at, events });
  return events;
}

export async function readEvents(
  database: Database,
  afterSeq: number,
  limit = PAGE,
): Promise<WorkspaceEvent[]> {
  const rows = await database.read({
    sql: 'SELECT seq, at, actor, type, subject, data FROM events WHERE seq > ? ORDER BY seq LIMIT ?',
    args: [afterSeq, limit],
  });
  return rows.map(eventOfRow);
}

/**
 * Yields every event after `afterSeq`, in order, without loss or repeat, until `signal` aborts. Woken by commits of this
 * process; the poll finds those of others.
 */
export async function* followEvents(
  database: () => Promise<Database>,
  wakes: Wakes,
  workspaceId: string,
  afterSeq: number,
  signal: AbortSignal,
  pollMs = 500,
): AsyncGenerator<WorkspaceEvent> {
  let seq = afterSeq;
  while (!signal.aborted) {
    const woken = wakes.wait(workspaceId, pollMs, signal);
    const events = await lookAfter(await database(), seq, wakes.count(workspaceId));
    for (const event of events) {
      yield event;
      seq = event.seq;
    }
    // A commit since the wait began has ended it already, so a page that was not full needs no second look.
    if (events.length < PAGE) await woken;
  }
}

function eventOfRow(row: Row): WorkspaceEvent {
  return {
    seq: Number(row.seq),
    at: Number(row.at),
    actor: String(row.actor) as Actor,
    type: String(row.type),
    subject: String(row.subject),
    data: JSON.parse(String(row.data)) as Record<string, unknown>,
  };
}
