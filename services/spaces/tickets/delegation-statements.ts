import type { Actor } from '../../kit/actor.ts';
import type { Statement } from '../../kit/database/database.ts';
import { eventsOfRows } from '../../kit/database/event-log.ts';
import { newId } from '../../kit/id.ts';
import type { Assignment } from './delegation.ts';
import type { DelegationOutcome } from './delegation-schema.ts';

/** A ticket of this batch that was really written. */
export interface Written {
  ticketId: string;
  /** Holds when it was. */
  won: Statement;
  actor: Actor;
  at: number;
}

/** The ticket's thread in its space, where there is none yet, and the delegation with its event. */
export function delegateStatements(written: Written, assignment: Assignment): Statement[] {
  const { ticketId, won, actor, at } = written;
  const { agentId, delegatedBy, delegator, chain, depth } = assignment;
  const id = newId('dlg', at);
  const facts = [delegator?.runId ?? null, delegator?.conversationId ?? null, delegator?.originRunId ?? null];
  return [
    ...threadStatements(written),
    {
      sql: `INSERT INTO ticketDelegations (id, ticketId, number, agentId, delegatedBy, runId, fromConversationId, originRunId,
          chain, depth, conversationId, createdAt)
        SELECT ?, t.id, (SELECT coalesce(max(number), 0) + 1 FROM ticketDelegations WHERE ticketId = t.id), ?, ?, ?, ?, ?, ?, ?,
          (SELECT c.id FROM conversations c WHERE c.key = ${THREAD_KEY}), ? FROM tickets t WHERE t.id = ? AND ${won.sql}`,
      args: [
        ...[id, agentId, delegatedBy, ...facts, JSON.stringify(chain), depth, at, ticketId],
        ...won.args,
      ],
    },
    eventsOfRows({ at, actor, type: 'ticket.delegated' }, rowsWhere('id = ?', id)),
  ];
}

const THREAD_KEY = `'ticket/' || t.id || '/' || t.spaceId`;

function threadStatements({ ticketId, won, actor, at }: Written): Statement[] {
  const id = newId('cnv', at);
  return [
    {
      sql: `INSERT INTO conversations (id, spaceId, kind, title, createdAt, key)
        SELECT ?, t.spaceId, 'thread', substr('#' || t.number || ' ' || t.title, 1, 300), ?, ${THREAD_KEY}
        FROM tickets t WHERE t.id = ? AND t.spaceId IS NOT NULL AND ${won.sql} ON CONFLICT (key) DO NOTHING`,
      args: [id, at, ticketId, ...won.args],
    },
    eventsOfRows(
      { at, actor, type: 'conversation.created' },
      {
        subject: 'id',
        data: `json_object('spaceId', spaceId, 'kind', kind, 'parentMessageId', parentMessageId, 'title', title)`,
        from: 'conversations WHERE id = ?',
        args: [id],
      },
    ),
  ];
}

function rowsWhere(where: string, value: string) {
  return {
    subject: 'ticketId',
    data: `json_object('number', number, 'agentId', agentId, 'delegatedBy', delegatedBy, 'runId', runId,
      'conversationId', conversationId, 'fromConversationId', fromConversationId, 'depth', depth, 'chain', json(chain),
      'outcome', outcome)`,
    from: `ticketDelegations WHERE ${where} ORDER BY number`,
    args: [value],
  };
}

/** Calls off the runs of a ticket that is taken from whoever has it; whoever delegated is still told of its end. */
export function withdrawStatements({ ticketId, won, actor, at }: Written): Statement[] {
  const closing = newId('cls', at);
  return [
    {
      sql: `UPDATE ticketDelegations SET withdrawnAt = ?, closing = ?
        WHERE ticketId = ? AND endedAt IS NULL AND withdrawnAt IS NULL AND ${won.sql}`,
      args: [at, closing, ticketId, ...won.args],
    },
    eventsOfRows({ at, actor, type: 'ticket.delegationWithdrawn' }, rowsWhere('closing = ?', closing)),
  ];
}

/** Ends all of the ticket's delegations, each with the event by which whoever delegated is told. */
export function endStatements(
  { ticketId, won, actor, at }: Written,
  outcome: DelegationOutcome,
  resultCommentId: string | null,
  closing: string = newId('cls', at),
): Statement[] {
  return [
    {
      sql: `UPDATE ticketDelegations SET endedAt = ?, outcome = ?, resultCommentId = ?, closing = ?
        WHERE ticketId = ? AND endedAt IS NULL AND ${won.sql}`,
      args: [at, outcome, resultCommentId, closing, ticketId, ...won.args],
    },
    eventsOfRows({ at, actor, type: 'ticket.delegationEnded' }, rowsWhere('closing = ?', closing)),
  ];
}

/** Of a ticket: the delegation of that number is the last, and its run has neither ended nor been called off. */
export function isCurrent(ticketId: string, number: number): Statement {
  return {
    sql: `EXISTS (SELECT 1 FROM ticketDelegations d WHERE d.ticketId = ? AND d.number = ? AND d.endedAt IS NULL
      AND d.withdrawnAt IS NULL AND d.number = (SELECT max(number) FROM ticketDelegations WHERE ticketId = d.ticketId))`,
    args: [ticketId, number],
  };
}

/** Moves the ticket, where the condition holds, with the event that tells from where. */
export function moveStatements({ ticketId, won, actor, at }: Written, to: string): Statement[] {
  const where = `tickets WHERE id = ? AND ${won.sql}`;
  return [
    eventsOfRows(
      { at, actor, type: 'ticket.changed' },
      {
        subject: 'id',
        data: `json_object('changes', json_object('status', json_object('from', status, 'to', ?)), 'status', ?,
          'version', version + 1)`,
        from: where,
        args: [to, to, ticketId, ...won.args],
      },
    ),
    {
      sql: `UPDATE tickets SET status = ?, updatedAt = ?, version = version + 1 WHERE id = ? AND ${won.sql}`,
      args: [to, at, ticketId, ...won.args],
    },
  ];
}
