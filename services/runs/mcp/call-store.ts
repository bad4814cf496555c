import type { Database, Row, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { Fault } from '../../kit/fault.ts';
import type { CallDecision } from '../harness/tool-port.ts';
import { isRunId, runEvent, type ToldRun } from '../runs/run.ts';

/** One call of a run's tool as it came over the tool protocol. Within a run a call id is one call for ever. */
export interface KnownCall {
  callId: string;
  /** The approval that its admission waits for, or waited for last. */
  heldBy: string | null;
  isStarted: boolean;
  /** Null until it is over. */
  result: { content: string; isError: boolean } | null;
}

/** What identifies a call: its id stands for this name and input alone. */
export interface CallIdentity {
  run: ToldRun;
  callId: string;
  name: string;
  /** Keyed hash of name and input. */
  inputDigest: string;
}

const SUMMARY_CHARS = 200;

/**
 * The call of this id, or else the calls of the same name and input that were held and have not begun: whoever makes such a
 * call again goes on with it, so that a decision which came late is used.
 * @throws Fault conflict when the id stands for another call
 */
export async function knownCalls(
  database: Database,
  { run, callId, inputDigest }: CallIdentity,
): Promise<KnownCall[]> {
  const rows = await database.read({
    sql: `SELECT * FROM mcpCalls WHERE runId = ? AND (callId = ?
        OR (inputDigest = ? AND startedAt IS NULL AND finishedAt IS NULL))
      ORDER BY createdAt, callId`,
    args: [run.id, callId, inputDigest],
  });
  const own = rows.find((row) => row.callId === callId);
  if (own && own.inputDigest !== inputDigest) {
    throw new Fault(
      'conflict',
      `The call id ${callId} was used for another call of this run. Give each its own.`,
    );
  }
  return (own ? [own] : rows).map(callOfRow);
}

function callOfRow(row: Row): KnownCall {
  const result = { content: String(row.content), isError: Number(row.isError) === 1 };
  return {
    callId: String(row.callId),
    heldBy: row.heldBy === null ? null : String(row.heldBy),
    isStarted: row.startedAt !== null,
    result: row.finishedAt === null ? null : result,
  };
}

const OF_CALL = 'WHERE runId = ? AND callId = ? AND inputDigest = ? AND finishedAt IS NULL';

/** Keeps what the call waits for: the approval that holds it before anything of it begins, or what it asked for itself. */
export async function holdCall(
  database: Database,
  identity: CallIdentity,
  { heldBy, waitingFor }: { heldBy: string | null; waitingFor: string },
  at: number,
): Promise<void> {
  const update = {
    sql: `UPDATE mcpCalls SET heldBy = ?, waitingFor = ? ${OF_CALL} AND waitingFor IS NOT ?`,
    args: [heldBy, waitingFor, ...keyOf(identity), waitingFor],
  };
  const approvalId = isRunId(waitingFor) ? null : waitingFor;
  await write(database, 'mcp.hold', identity, update, { state: 'held', waitingFor, approvalId }, at);
}

/** Nobody waits any more: it is over, or the client has left. */
export async function releaseCall(database: Database, identity: CallIdentity): Promise<void> {
  const sql = `UPDATE mcpCalls SET waitingFor = NULL ${OF_CALL}`;
  await database.write('mcp.release', [{ sql, args: keyOf(identity) }]);
}

/** From here on the call is made once, whatever happens. False when it was begun before, or the run has ended. */
export function startCall(
  database: Database,
  identity: CallIdentity,
  decision: CallDecision,
  at: number,
): Promise<boolean> {
  const update = {
    sql: `UPDATE mcpCalls SET startedAt = ? ${OF_CALL} AND startedAt IS NULL
      AND EXISTS (SELECT 1 FROM runs WHERE id = ? AND phase <> 'ended')`,
    args: [at, ...keyOf(identity), identity.run.id],
  };
  return write(database, 'mcp.start', identity, update, { state: 'started', decision }, at);
}

/** @param decision what its admission said, of a call whose start was not kept */
export async function finishCall(
  database: Database,
  identity: CallIdentity,
  { content, isError }: { content: string; isError: boolean },
  decision: CallDecision | null,
  at: number,
): Promise<void> {
  const update = {
    sql: `UPDATE mcpCalls SET finishedAt = ?, content = ?, isError = ? ${OF_CALL}`,
    args: [at, content, isError ? 1 : 0, ...keyOf(identity)],
  };
  const summary = content.slice(0, SUMMARY_CHARS).toWellFormed();
  const told = { state: 'finished', isError, summary, ...(decision && { decision }) };
  await write(database, 'mcp.finish', identity, update, told, at);
}

function keyOf({ run, callId, inputDigest }: CallIdentity): string[] {
  return [run.id, callId, inputDigest];
}

/** One step of a call with its event; false when the update changed nothing. */
async function write(
  database: Database,
  label: string,
  { run, callId, name, inputDigest }: CallIdentity,
  update: Statement,
  told: Record<string, unknown>,
  at: number,
): Promise<boolean> {
  const insert: Statement = {
    sql: `INSERT INTO mcpCalls (runId, callId, name, inputDigest, createdAt) SELECT id, ?, ?, ?, ? FROM runs
      WHERE id = ? AND phase <> 'ended' ON CONFLICT (runId, callId) DO NOTHING`,
    args: [callId, name, inputDigest, at, run.id],
  };
  const event = runEvent(run, 'run.tool', at, { name, callId, via: 'mcp', summary: '', ...told });
  const results = await database.write(label, [insert, update, eventIfChanged(event)]);
  return results[1]?.rowsAffected === 1;
}
