import { and, asc, eq, gt, type SQL } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import type { Paging } from '../fields.ts';
import { newClosing, supersedeStatements } from './closing.ts';
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

/** Whether it was open until now. */
export async function supersede(
  database: Database,
  id: string,
  actor: Actor,
  nowMs: number,
): Promise<boolean> {
  const where = { sql: `id = ? AND status IN ('pending', 'unattended')`, args: [id] };
  const [updated] = await database.write(
    'approval.supersede',
    supersedeStatements(newClosing(actor, nowMs), where),
  );
  return updated?.rowsAffected === 1;
}

/**
 * The ids of what the run was waiting for until now; what was refused unattended stays for a retry. A request to leave plan
 * mode outlives the sub-agent that made it, so it goes with the root of the tree too.
 */
export async function supersedeOfRun(
  database: Database,
  { runId, planExit }: { runId: string; planExit: boolean },
  actor: Actor,
  nowMs: number,
): Promise<string[]> {
  const closing = newClosing(actor, nowMs);
  const isGate = `(kind = 'plan_exit' AND (runId = ? OR rootRunId = ?))`;
  const where = {
    sql: `status = 'pending' AND ((kind IN ('question', 'action') AND runId = ?) ${planExit ? `OR ${isGate}` : ''})`,
    args: [runId, ...(planExit ? [runId, runId] : [])],
  };
  await database.write('approval.supersedeOfRun', supersedeStatements(closing, where));
  const rows = await database.orm
    .select({ id: approvals.id })
    .from(approvals)
    .where(eq(approvals.closing, closing.id))
    .orderBy(asc(approvals.id));
  return rows.map(({ id }) => id);
}
