import type { Actor } from '../../kit/actor.ts';
import type { Statement } from '../../kit/database/database.ts';
import { eventsOfRows } from '../../kit/database/event-log.ts';
import { newId } from '../../kit/id.ts';

/** One commit that closes approvals; each row keeps its `id`, so that what follows in the batch finds just these. */
export interface Closing {
  id: string;
  actor: Actor;
  at: number;
}

export function newClosing(actor: Actor, nowMs: number): Closing {
  return { id: newId('cls'), actor, at: nowMs };
}

const EVENT_DATA = `json_object('kind', kind, 'status', status, 'requester', requester, 'subject', subject,
  'digest', digest, 'runId', runId, 'rootRunId', rootRunId, 'spaceId', spaceId, 'conversationId', conversationId,
  'grant', grant, 'decision', json(decision), 'arguments', json(arguments))`;

/** The event of an approval that this batch has just written. */
export function requestedEvent(id: string, actor: Actor, at: number): Statement {
  const from = 'approvals WHERE id = ?';
  return eventsOfRows(
    { at, actor, type: 'approval.requested' },
    { subject: 'id', data: EVENT_DATA, from, args: [id] },
  );
}

/** The events of the approvals that `closing` closed, and the new state of the cards that show them. */
export function closedStatements(
  closing: Closing,
  type: 'approval.decided' | 'approval.superseded',
): Statement[] {
  const { id, actor, at } = closing;
  const from = 'approvals WHERE closing = ? ORDER BY id';
  return [
    eventsOfRows({ at, actor, type }, { subject: 'id', data: EVENT_DATA, from, args: [id] }),
    ...cardStatements(closing),
  ];
}

/** Supersedes what `where` names, in one batch with its events. */
export function supersedeStatements(
  closing: Closing,
  where: { sql: string; args: readonly unknown[] },
): Statement[] {
  return [
    {
      sql: `UPDATE approvals SET status = 'superseded', closing = ? WHERE ${where.sql}`,
      args: [closing.id, ...where.args],
    },
    ...closedStatements(closing, 'approval.superseded'),
  ];
}

// The plus takes the column's affinity away, with which the index on the expression could not be searched.
const CARDS = `json_extract(data, '$.approvalId') IN (SELECT +id FROM approvals WHERE closing = ?)`;

function cardStatements({ id, actor, at }: Closing): Statement[] {
  return [
    {
      sql: `UPDATE messages SET version = version + 1, updatedAt = ?, data = json_set(data, '$.status',
        (SELECT status FROM approvals WHERE approvals.id = json_extract(messages.data, '$.approvalId'))) WHERE ${CARDS}`,
      args: [at, id],
    },
    eventsOfRows(
      { at, actor, type: 'message.changed' },
      {
        subject: 'id',
        data: `json_object('conversationId', conversationId, 'changed', json_array('data'), 'version', version)`,
        from: `messages WHERE ${CARDS} ORDER BY seq`,
        args: [id],
      },
    ),
  ];
}
