import type { Actor } from '../../kit/actor.ts';
import type { Database, Row } from '../../kit/database/database.ts';
import type { RequestSource } from '../../kit/source.ts';

/** Who decided or changed what, when, and from where. */
export interface AuditEntry {
  seq: number;
  at: number;
  actor: Actor;
  action: string;
  subject: string;
  data: Record<string, unknown>;
  /** Null when no request led to it, and for what is older than this record. */
  source: RequestSource | null;
}

/** What anybody decides or changes. */
const CHANGES = [
  ...['approval.requested', 'approval.decided', 'approval.superseded', 'approval.consumed'],
  ...[
    'guardrail.set',
    'guardrail.removed',
    'space.created',
    'space.changed',
    'agent.created',
    'agent.changed',
  ],
  ...['member.added', 'member.changed', 'member.removed', 'team.created', 'budget.set', 'workspace.ready'],
  ...['review.finalized', 'review.published', 'review.axesSet'],
];
/** What services tell too; here it counts when a person did it. */
const OF_PEOPLE = ['run.%', 'orchestration.%', 'plan.%', 'review.%', 'finding.%', 'pipeline.%', 'step.%'];

/** What people and agents wrote, and what tools are given, is in the rows that the entry names. */
const CONTENT = `'$.arguments', '$.decision.answer', '$.body', '$.text', '$.output', '$.result', '$.prompt'`;

const QUERY = `SELECT seq, at, actor, type, subject, json_remove(data, ${CONTENT}) AS data, source FROM events
  WHERE seq > ? AND (type IN (${CHANGES.map((type) => `'${type}'`).join(', ')})
    OR (actor LIKE 'person:%' AND (${OF_PEOPLE.map((type) => `type LIKE '${type}'`).join(' OR ')})))
  ORDER BY seq LIMIT ?`;

export async function readAudit(database: Database, afterSeq: number, limit: number): Promise<AuditEntry[]> {
  const rows = await database.read({ sql: QUERY, args: [afterSeq, limit] });
  return rows.map(entryOf);
}

function entryOf(row: Row): AuditEntry {
  return {
    seq: Number(row.seq),
    at: Number(row.at),
    actor: String(row.actor) as Actor,
    action: String(row.type),
    subject: String(row.subject),
    data: JSON.parse(String(row.data)) as Record<string, unknown>,
    source: row.source === null ? null : (JSON.parse(String(row.source)) as RequestSource),
  };
}
