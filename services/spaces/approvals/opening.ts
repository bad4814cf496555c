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
  const [row] = await rowsOf(database, [withKey(key), ...allowed]);
  return row ?? approval;
}

/** The row that already answers the key of a call, if any. */
export async function findAnswer(database: Database, key: string): Promise<Approval | null> {
  const [row] = await rowsOf(database, [withKey(key), consumedBy(key)]);
  return row ?? null;
}

function rowsOf(database: Database, answers: readonly Fragment[]): Promise<Approval[]> {
  const first = sql.join(
    answers.map((answer) => embedded(answer)),
    sql`, `,
  );
  return database.orm
    .select(APPROVAL_COLUMNS)
    .from(approvals)
    .where(sql`${approvals.id} = coalesce(${first}, NULL)`);
}

/** A fragment within a query of drizzle, which numbers the placeholders itself. */
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

function consumeRetry(approval: Approval, key: string, actor: Actor): Statement[] {
  const { digest, requester, conversationId, runId, createdAt } = approval;
  const answers = [withKey(key), consumedBy(key), allowedForRun(approval)];
  const from = 'approvals WHERE consumedBy = ? AND changes() > 0';
  return [
    {
      sql: `UPDATE approvals SET consumedBy = ? WHERE id = (SELECT id FROM approvals WHERE digest = ? AND requester = ?
        AND conversationId IS ? AND kind = 'action' AND status = 'approved' AND unattendedAt IS NOT NULL
        AND consumedBy IS NULL ORDER BY decidedAt, id LIMIT 1) AND ${noneOf(answers)}`,
      args: [key, digest, requester, conversationId, ...answers.flatMap(({ args }) => args)],
    },
    eventsOfRows(
      { at: createdAt, actor, type: 'approval.consumed' },
      { subject: 'id', data: `json_object('kind', kind, 'runId', ?)`, from, args: [runId, key] },
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
