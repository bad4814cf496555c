import type { Database, Row } from '../../kit/database/database.ts';
import type { Approval } from '../approvals/schema.ts';

/** What waits on people, newest first. */
export interface Inbox {
  items: InboxItem[];
  /** All that waits, also beyond `items`. */
  count: number;
  /** The event up to which this is true: whoever follows from there keeps the count live. */
  seq: number;
}

interface InboxItem extends Approval {
  /** Null when no agent asks. */
  agentName: string | null;
  spaceName: string | null;
  ageMs: number;
}

const OPEN = `status IN ('pending', 'unattended')`;

// One statement, so that items, count and event number are of one moment.
const QUERY = `SELECT (SELECT count(*) FROM approvals WHERE ${OPEN}) AS count,
    (SELECT coalesce(max(seq), 0) FROM events) AS seq,
    a.id, a.kind, a.requester, a.subject, a.arguments, a.digest, a.status, a.decidedBy, a.decidedAt, a.decision, a.grant,
    a.runId, a.rootRunId, a.spaceId, a.conversationId, a.createdAt, g.name AS agentName, s.name AS spaceName
  FROM (SELECT 1) LEFT JOIN (SELECT * FROM approvals WHERE ${OPEN} ORDER BY createdAt DESC, id DESC LIMIT ?) a
    LEFT JOIN agents g ON 'agent:' || g.id = a.requester LEFT JOIN spaces s ON s.id = a.spaceId
  ORDER BY a.createdAt DESC, a.id DESC`;

export async function inboxOf(database: Database, limit: number, nowMs: number): Promise<Inbox> {
  const rows = await database.read({ sql: QUERY, args: [limit] });
  return {
    items: rows.filter(({ id }) => id !== null).map((row) => itemOf(row, nowMs)),
    count: Number(rows[0]?.count),
    seq: Number(rows[0]?.seq),
  };
}

function itemOf({ count, seq, ...row }: Row, nowMs: number): InboxItem {
  const createdAt = Number(row.createdAt);
  return {
    ...(row as unknown as InboxItem),
    arguments: JSON.parse(String(row.arguments)) as Record<string, unknown>,
    decision: null,
    decidedAt: null,
    createdAt,
    ageMs: Math.max(0, nowMs - createdAt),
  };
}
