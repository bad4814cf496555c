import type { Actor } from '../../kit/actor.ts';
import type { Database, Row, Statement } from '../../kit/database/database.ts';
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

const COLUMNS = `seq, at, actor, type, subject, json_remove(data, ${CONTENT}) AS data, source`;
const IS_CHANGE = `type IN (${CHANGES.map((type) => `'${type}'`).join(', ')})`;
const IS_ENTRY = `(${IS_CHANGE}
  OR (actor LIKE 'person:%' AND (${OF_PEOPLE.map((type) => `type LIKE '${type}'`).join(' OR ')})))`;
/** Word for word what the index of entries by subject is of: without it a look at one thing reads the whole log. */
const IS_INDEXED = `(${IS_CHANGE} OR (actor >= 'person:' AND actor < 'person;'))`;

/** Entries after one, the oldest first. */
export async function readAudit(database: Database, afterSeq: number, limit: number): Promise<AuditEntry[]> {
  const sql = `SELECT ${COLUMNS} FROM events WHERE seq > ? AND ${IS_ENTRY} ORDER BY seq LIMIT ?`;
  const rows = await database.read({ sql, args: [afterSeq, limit] });
  return rows.map(entryOf);
}

/** Where entries are read from backwards. */
interface AuditBefore {
  /** Null: from the newest on. */
  beforeSeq: number | null;
  /** The id of what they are of; null for all. */
  subject: string | null;
  limit: number;
}

/** The statement behind `readAuditBefore`. */
export function auditBeforeStatement({ beforeSeq, subject, limit }: AuditBefore): Statement {
  const ofSubject = subject === null ? '' : `subject = ? AND ${IS_INDEXED} AND`;
  return {
    sql: `SELECT ${COLUMNS} FROM events WHERE ${ofSubject} seq < ? AND ${IS_ENTRY} ORDER BY seq DESC LIMIT ?`,
    args: [...(subject === null ? [] : [subject]), beforeSeq ?? Number.MAX_SAFE_INTEGER, limit],
  };
}

/** The newest first. */
export async function readAuditBefore(database: Database, asked: AuditBefore): Promise<AuditEntry[]> {
  return (await database.read(auditBeforeStatement(asked))).map(entryOf);
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
