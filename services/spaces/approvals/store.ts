import { and, asc, eq, gt, type SQL } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged, type NewEvent } from '../../kit/database/event-log.ts';
import type { Paging } from '../fields.ts';
import { APPROVAL_COLUMNS, type Approval, type ApprovalFilter, approvals } from './schema.ts';

export async function findApproval(database: Database, id: string): Promise<Approval | null> {
  const rows = await database.orm.select(APPROVAL_COLUMNS).from(approvals).where(eq(approvals.id, id));
  return rows[0] ?? null;
}

export function listApprovals(
  database: Database,
  filter: ApprovalFilter,
  paging: Paging,
): Promise<Approval[]> {
  const conditions: SQL[] = [gt(approvals.id, paging.after ?? '')];
  if (filter.status !== undefined) conditions.push(eq(approvals.status, filter.status));
  if (filter.runId !== undefined) conditions.push(eq(approvals.runId, filter.runId));
  return database.orm
    .select(APPROVAL_COLUMNS)
    .from(approvals)
    .where(and(...conditions))
    .orderBy(asc(approvals.id))
    .limit(paging.limit + 1);
}

export async function insertApproval(
  database: Database,
  approval: Approval,
  key: string,
  actor: Actor,
): Promise<Approval> {
  await database.write('approval.request', [
    database.orm
      .insert(approvals)
      .values({ ...approval, key })
      .onConflictDoNothing({ target: approvals.key }),
    eventIfChanged(eventOf('approval.requested', approval, actor, approval.createdAt)),
  ]);
  const rows = await database.orm.select(APPROVAL_COLUMNS).from(approvals).where(eq(approvals.key, key));
  return rows[0] ?? approval;
}

/**
 * The one winner: writes only while the row is pending, and only over the digest of the approval given.
 * @param closed the approval as it is to stand
 */
export async function closeApproval(
  database: Database,
  closed: Approval,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const verb = closed.status === 'superseded' ? 'superseded' : 'decided';
  const { status, decidedBy, decidedAt, decision } = closed;
  const [updated] = await database.write(verb === 'decided' ? 'approval.decide' : 'approval.supersede', [
    database.orm
      .update(approvals)
      .set({ status, decidedBy, decidedAt, decision })
      .where(
        and(
          eq(approvals.id, closed.id),
          eq(approvals.status, 'pending'),
          eq(approvals.digest, closed.digest),
        ),
      ),
    eventIfChanged(eventOf(`approval.${verb}`, closed, actor, nowMs)),
  ]);
  return updated?.rowsAffected === 1;
}

function eventOf(type: string, approval: Approval, actor: Actor, at: number): NewEvent {
  const { kind, status, requester, subject, runId, spaceId, conversationId, decision } = approval;
  const data = { kind, status, requester, subject, runId, spaceId, conversationId, decision };
  return { at, actor, type, subject: approval.id, data: { ...data, arguments: approval.arguments } };
}
