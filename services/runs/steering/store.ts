import type { Actor } from '../../kit/actor.ts';
import type { Database, Row, Statement } from '../../kit/database/database.ts';
import { refOf } from '../delegation/delegation-key.ts';
import type { RunPhase } from '../runs/schema.ts';

/** What a run at work is told from outside. `messageId` and `agentId` make it one: it is put to one run, once. */
export interface SteeringMessage {
  messageId: string;
  agentId: string;
  author: Actor;
  body: string;
  at: number;
}

/** A message that a run was given, and where that run stands. */
export interface SteeredRun {
  runId: string;
  phase: RunPhase;
  isTaken: boolean;
  /** The run ended without reading it, in a way after which the message is to have a run of its own. */
  isPassedOn: boolean;
}

/** Of the run `r`: it has begun, goes on, and is no sub-agent, so that it can be told something. */
const STEERABLE = `r.phase <> 'ended' AND r.startedAt IS NOT NULL AND r.cancelRequested = 0 AND r.parentRunId IS NULL`;

/** Of the message `m`, given to the run `r`: neither has it been read, nor will it be. */
const PASSED_ON = `m.takenAt IS NULL AND r.phase = 'ended' AND r.status <> 'cancelled'`;

/** The run in which a message is answered when no run at work could be told of it. */
export function ownRunKey({ messageId, agentId }: Pick<SteeringMessage, 'messageId' | 'agentId'>): string {
  return refOf('childCompleted', messageId) ? messageId : `message:${messageId}/${agentId}`;
}

/**
 * Puts a message to the run that its agent has going in the conversation; one that was put to a run before, or has a run of
 * its own, stays with that.
 * @returns the run it is put to; null when there is none
 */
export function steerInConversation(
  database: Database,
  message: SteeringMessage,
  conversationId: string,
): Promise<SteeredRun | null> {
  const where = { sql: 'r.conversationId = ? AND r.agentId = ?', args: [conversationId, message.agentId] };
  return steerWhere(database, message, where);
}

/** As `steerInConversation`, of one run. */
export function steerRun(
  database: Database,
  message: SteeringMessage,
  runId: string,
): Promise<SteeredRun | null> {
  return steerWhere(database, message, { sql: 'r.id = ?', args: [runId] });
}

async function steerWhere(
  database: Database,
  message: SteeringMessage,
  where: Statement,
): Promise<SteeredRun | null> {
  const { messageId, agentId, author, body, at } = message;
  const insert: Statement = {
    sql: `INSERT INTO runMessages (messageId, agentId, runId, author, body, at)
      SELECT ?, ?, r.id, ?, ?, ? FROM runs r WHERE ${where.sql} AND ${STEERABLE}
        AND NOT EXISTS (SELECT 1 FROM runs own WHERE own.key = ?)
      ORDER BY r.phase = 'live' DESC, r.startedAt DESC LIMIT 1
      ON CONFLICT (messageId, agentId) DO NOTHING`,
    args: [messageId, agentId, author, body, at, ...where.args, ownRunKey(message)],
  };
  const find: Statement = {
    sql: `SELECT m.runId, r.phase, m.takenAt IS NOT NULL AS isTaken, ${PASSED_ON} AS isPassedOn
      FROM runMessages m JOIN runs r ON r.id = m.runId WHERE m.messageId = ? AND m.agentId = ?`,
    args: [messageId, agentId],
  };
  const [, found] = await database.write('run.message', [insert, find]);
  const row = found?.rows[0];
  return row ? steeredOf(row) : null;
}

function steeredOf(row: Row): SteeredRun {
  return {
    runId: String(row.runId),
    phase: String(row.phase) as RunPhase,
    isTaken: Number(row.isTaken) === 1,
    isPassedOn: Number(row.isPassedOn) === 1,
  };
}

/** Holds unless the message is with a run that has read it or will: part of the insert of a run of its own. */
export function isWithNoRun({
  messageId,
  agentId,
}: Pick<SteeringMessage, 'messageId' | 'agentId'>): Statement {
  return {
    sql: `NOT EXISTS (SELECT 1 FROM runMessages m JOIN runs r ON r.id = m.runId
      WHERE m.messageId = ? AND m.agentId = ? AND NOT (${PASSED_ON}))`,
    args: [messageId, agentId],
  };
}

/** Holds while everything that was said to the run has been read. */
export function hasReadAll(runId: string): Statement {
  return {
    sql: 'NOT EXISTS (SELECT 1 FROM runMessages WHERE runId = ? AND takenAt IS NULL)',
    args: [runId],
  };
}

/** What the run has not read, oldest first. */
export async function unreadMessages(database: Database, runId: string): Promise<SteeringMessage[]> {
  const rows = await database.read({
    sql: 'SELECT * FROM runMessages WHERE runId = ? AND takenAt IS NULL ORDER BY seq',
    args: [runId],
  });
  return rows.map((row) => ({
    messageId: String(row.messageId),
    agentId: String(row.agentId),
    author: String(row.author) as Actor,
    body: String(row.body),
    at: Number(row.at),
  }));
}

/** How many messages the run has read so far. */
export async function countRead(database: Database, runId: string): Promise<number> {
  const [row] = await database.read({
    sql: 'SELECT count(*) AS count FROM runMessages WHERE runId = ? AND takenAt IS NOT NULL',
    args: [runId],
  });
  return Number(row?.count);
}
