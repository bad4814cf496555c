import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventsOfRows } from '../../kit/database/event-log.ts';
import { requestedEvent } from '../approvals/closing.ts';
import type { Approval } from '../approvals/schema.ts';
import { UNUSED_YES } from './gates.ts';

/** The newest gate of a space, and the mode the space has at that moment. */
export interface GateView {
  mode: string;
  approvalId: string | null;
  consumedBy: string | null;
  /** Of the refusal that was decided before this gate was opened. */
  reason: string | null;
}

/**
 * One commit: an unused yes is used and the space goes to chat; else, while it is in plan mode and has no open gate, the
 * gate is opened.
 * @param callId unlike that of any other call
 * @returns whether this call left plan mode
 */
export async function leaveOrOpen(
  database: Database,
  gate: Approval,
  callId: string,
  actor: Actor,
): Promise<boolean> {
  const { spaceId, createdAt: at } = gate;
  const isInPlan = `EXISTS (SELECT 1 FROM spaces WHERE id = ? AND mode = 'plan')`;
  const [, left] = await database.write('space.planExit', [
    {
      sql: `UPDATE approvals SET consumedBy = ? WHERE ${UNUSED_YES} AND spaceId = ? AND ${isInPlan}`,
      args: [callId, spaceId, spaceId],
    },
    {
      sql: `UPDATE spaces SET mode = 'chat', version = version + 1 WHERE id = ? AND mode = 'plan'
        AND EXISTS (SELECT 1 FROM approvals WHERE consumedBy = ? AND spaceId = ?)`,
      args: [spaceId, callId, spaceId],
    },
    eventsOfRows(
      { at, actor, type: 'space.changed' },
      {
        subject: 'id',
        data: `json_object('mode', mode, 'version', version)`,
        from: 'spaces WHERE id = ? AND changes() > 0',
        args: [spaceId],
      },
    ),
    openGate(gate),
    requestedEvent(gate.id, actor, at),
  ]);
  return left?.rowsAffected === 1;
}

function openGate(gate: Approval): Statement {
  const { id, kind, requester, subject, digest, runId, rootRunId, spaceId, conversationId, createdAt } = gate;
  return {
    sql: `INSERT INTO approvals (id, kind, requester, subject, arguments, digest, status, runId, rootRunId, spaceId,
        conversationId, createdAt, key)
      SELECT ?, ?, ?, ?, ?, ?, 'pending', ?, ?, id, ?, ?, ? FROM spaces WHERE id = ? AND mode = 'plan'
      ON CONFLICT DO NOTHING`,
    args: [
      ...[id, kind, requester, subject, JSON.stringify(gate.arguments), digest, runId, rootRunId],
      ...[conversationId, createdAt, `planExit/${id}`, spaceId],
    ],
  };
}

const VIEW = `SELECT s.mode, g.id AS approvalId, g.consumedBy,
    (SELECT CASE status WHEN 'refused' THEN json_extract(decision, '$.reason') END FROM approvals
      WHERE kind = 'plan_exit' AND spaceId = s.id AND status IN ('approved', 'refused') AND id < g.id
      ORDER BY id DESC LIMIT 1) AS reason
  FROM spaces s LEFT JOIN approvals g
    ON g.id = (SELECT max(id) FROM approvals WHERE kind = 'plan_exit' AND spaceId = s.id)
  WHERE s.id = ?`;

export async function viewGate(database: Database, spaceId: string): Promise<GateView | null> {
  const [row] = await database.read({ sql: VIEW, args: [spaceId] });
  return (row as unknown as GateView | undefined) ?? null;
}
