import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import { newId } from '../../kit/id.ts';
import type { Delegation, DelegationOutcome } from './delegation-schema.ts';
import { endStatements, isCurrent, moveStatements } from './delegation-statements.ts';

/** The run of a delegation has begun: a ticket that waits for it is in progress. Once. */
export async function beginDelegation(
  database: Database,
  { ticketId, number, agentId }: Delegation,
  actor: Actor,
  at: number,
): Promise<void> {
  const current = isCurrent(ticketId, number);
  const won = {
    sql: `status IN ('backlog', 'open') AND assignee = ? AND ${current.sql}
      AND EXISTS (SELECT 1 FROM ticketDelegations n WHERE n.ticketId = ? AND n.number = ? AND n.beganAt IS NULL)`,
    args: [`agent:${agentId}`, ...current.args, ticketId, number],
  };
  await database.write('ticket.delegationBegin', [
    ...moveStatements({ ticketId, won, actor, at }, 'inProgress'),
    {
      sql: `UPDATE ticketDelegations SET beganAt = ? WHERE ticketId = ? AND number = ? AND beganAt IS NULL`,
      args: [at, ticketId, number],
    },
  ]);
}

const ALWAYS: Statement = { sql: '1', args: [] };

/**
 * Holds when the agent has delegated nothing from the ticket's thread that had not ended before its run did: else it is woken
 * with that, and the ticket ends with what it makes of it.
 */
function hasNothingOpen(ticketId: string, number: number, runEndedAt: number): Statement {
  return {
    sql: `NOT EXISTS (SELECT 1 FROM ticketDelegations own JOIN ticketDelegations part
      ON part.fromConversationId = own.conversationId AND part.delegatedBy = 'agent:' || own.agentId
      WHERE own.ticketId = ? AND own.number = ? AND part.ticketId <> own.ticketId
        AND (part.endedAt IS NULL OR part.endedAt >= ?))`,
    args: [ticketId, number, runEndedAt],
  };
}

export interface RunEnd {
  outcome: DelegationOutcome;
  /** Where the ticket goes, unless its agent has given it back or brought it somewhere itself. */
  status: string;
  comment: { id: string; author: Actor; body: string };
  runEndedAt: number;
}

/** The run of a delegation has ended: comment, status and the word to whoever delegated in one commit. Once. */
export async function endOfRun(
  database: Database,
  { ticketId, number, agentId }: Delegation,
  { outcome, status, comment, runEndedAt }: RunEnd,
  actor: Actor,
  at: number,
): Promise<boolean> {
  const closing = newId('cls', at);
  const current = isCurrent(ticketId, number);
  const settled = outcome === 'completed' ? hasNothingOpen(ticketId, number, runEndedAt) : ALWAYS;
  const won = { sql: `${current.sql} AND ${settled.sql}`, args: [...current.args, ...settled.args] };
  const written = { ticketId, won, actor, at };
  const has = { sql: 'EXISTS (SELECT 1 FROM ticketDelegations WHERE closing = ?)', args: [closing] };
  const [update, ended] = endStatements(written, outcome, comment.id, closing) as [Statement, Statement];
  const left = {
    sql: `status IN ('backlog', 'open', 'inProgress') AND assignee = ? AND ${has.sql}`,
    args: [`agent:${agentId}`, ...has.args],
  };
  const data = { commentId: comment.id };
  const [closed] = await database.write('ticket.delegationEnd', [
    update,
    {
      sql: `INSERT INTO ticketComments (id, ticketId, author, body, createdAt) SELECT ?, ?, ?, ?, ? WHERE ${has.sql}`,
      args: [comment.id, ticketId, comment.author, comment.body, at, ...has.args],
    },
    eventIfChanged({ at, actor: comment.author, type: 'ticket.commented', subject: ticketId, data }),
    ...moveStatements({ ticketId, won: left, actor, at }, status),
    ended,
  ]);
  return (closed?.rowsAffected ?? 0) > 0;
}
