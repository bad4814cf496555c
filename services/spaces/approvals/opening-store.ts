import { sql } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database, Statement } from '../../kit/database/database.ts';
import { eventsOfRows } from '../../kit/database/event-log.ts';
import { requestedEvent } from './closing.ts';
import { APPROVAL_COLUMNS, type Approval, approvals } from './schema.ts';

interface Fragment {
  sql: string;
  args: readonly unknown[];
}

/**
 * Writes the request, unless its key is known or an action's exact arguments were allowed before: for its run, or for one
 * retry of a call that was refused for want of a person. The one retry is used up by the key in the same commit.
 * @returns the row that answers the key: the new one, the known one, or the one that allows it
 */
export async function openApproval(
  database: Database,
  approval: Approval,
  key: string,
  actor: Actor,
): Promise<Approval> {
  const isAction = approval.kind === 'action';
  const allowed = isAction ? [consumedBy(key), allowedForRun(approval)] : [];
  await database.write('approval.request', [
    ...(isAction ? consumeRetry(approval, key, actor) : []),
    insertUnless(allowed, approval, key),
    requestedEvent(approval.id, actor, approval.createdAt),
  ]);
  return (await findAnswer(database, [withKey(key), ...allowed], key)) ?? approval;
}

async function findAnswer(
  database: Database,
  answers: readonly Fragment[],
  key: string,
): Promise<Approval | null> {
  const ids = sql.join(answers.map(embedded), sql`, `);
  const { unattendedAt, consumedBy } = approvals;
  const [row] = await database.orm
    .select({ row: APPROVAL_COLUMNS, unattendedAt, consumedBy })
    .from(approvals)
    .where(sql`${approvals.id} = coalesce(${ids}, NULL)`);
  if (!row) return null;
  const isUsedUp = row.unattendedAt !== null && row.row.grant !== 'run' && row.consumedBy !== key;
  return isUsedUp && row.row.status === 'approved' ? { ...row.row, status: 'unattended' } : row.row;
}

/** A fragment within a query of drizzle, which has placeholders of its own. */
function embedded({ sql: text, args }: Fragment) {
  const parts = text.split('?').map((part) => sql.raw(part));
  return sql.join(parts.flatMap((part, i) => (i === 0 ? [part] : [sql`${args[i - 1]}`, part])));
}

function withKey(key: string): Fragment {
  return { sql: '(SELECT id FROM approvals WHERE key = ?)', args: [key] };
}

function consumedBy(key: string): Fragment {
  return { sql: `(SELECT id FROM approvals WHERE consumedBy = ? AND kind = 'action')`, args: [key] };
}

function allowedForRun({ digest, requester, runId }: Approval): Fragment {
  return {
    sql: `(SELECT id FROM approvals WHERE digest = ? AND requester = ? AND runId = ? AND kind = 'action'
      AND status = 'approved' AND grant = 'run' ORDER BY decidedAt, id LIMIT 1)`,
    args: [digest, requester, runId],
  };
}

const UNUSED_RETRY = `kind = 'action' AND status = 'approved' AND unattendedAt IS NOT NULL AND consumedBy IS NULL
  AND digest = ? AND requester = ?`;

// A call that a crash cut off asks again under the key of its own row: then that row is the one to use.
function consumeRetry(approval: Approval, key: string, actor: Actor): Statement[] {
  const { digest, requester, conversationId, runId, createdAt } = approval;
  const [own, others] = [withKey(key), [consumedBy(key), allowedForRun(approval)]];
  return [
    {
      sql: `UPDATE approvals SET consumedBy = ? WHERE ${UNUSED_RETRY} AND id = coalesce(${own.sql},
        (SELECT id FROM approvals WHERE ${UNUSED_RETRY} AND conversationId IS ? AND ${noneOf(others)}
          ORDER BY decidedAt, id LIMIT 1))`,
      args: [
        ...[key, digest, requester, ...own.args],
        ...[digest, requester, conversationId, ...others.flatMap(({ args }) => args)],
      ],
    },
    eventsOfRows(
      { at: createdAt, actor, type: 'approval.consumed' },
      {
        subject: 'id',
        data: `json_object('kind', kind, 'runId', ?)`,
        from: 'approvals WHERE consumedBy = ? AND changes() > 0',
        args: [runId, key],
      },
    ),
  ];
}

function noneOf(fragments: readonly Fragment[]): string {
  return ['1', ...fragments.map(({ sql: text }) => `${text} IS NULL`)].join(' AND ');
}

function insertUnless(allowed: readonly Fragment[], approval: Approval, key: string): Statement {
  const { id, kind, requester, subject, digest, status, runId, rootRunId, spaceId, conversationId } =
    approval;
  return {
    sql: `INSERT INTO approvals (id, kind, requester, subject, arguments, digest, status, unattendedAt, runId, rootRunId,
        spaceId, conversationId, createdAt, key)
      SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE ${noneOf(allowed)} ON CONFLICT (key) DO NOTHING`,
    args: [
      ...[id, kind, requester, subject, JSON.stringify(approval.arguments), digest, status],
      ...[status === 'unattended' ? approval.createdAt : null, runId, rootRunId, spaceId, conversationId],
      ...[approval.createdAt, key],
      ...allowed.flatMap(({ args }) => args),
    ],
  };
}
