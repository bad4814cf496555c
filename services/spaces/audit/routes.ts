import * as z from 'zod';
import { requirePerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Id } from '../fields.ts';
import { type AuditEntry, readAudit, readAuditBefore } from './audit.ts';
import { auditLines } from './export.ts';

const Seq = z.coerce.number('must be a sequence number').int().min(0);
const AuditQuery = z.object({
  after: Seq.optional(),
  /** Backwards from here, the newest first; and so are the entries of one `subject`, an id. */
  before: Seq.optional(),
  subject: Id.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
  /** `ndjson`: all of it, one entry a line. */
  format: z.enum(['json', 'ndjson']).default('json'),
});

export function auditRoutes(deps: SpacesDeps) {
  return serviceRouter().get(
    '/api/workspaces/:workspaceId/audit',
    validate('query', AuditQuery),
    async (c) => {
      requirePerson(c.get('actor'), 'read the audit log');
      const workspaceId = c.req.param('workspaceId');
      const query = c.req.valid('query');
      const database = await deps.databases.open(workspaceId);
      if (query.format === 'json') {
        const items = await entriesOf(database, query);
        return c.json({ items, next: items.length === query.limit ? String(items.at(-1)?.seq) : null }, 200);
      }
      const read = async (afterSeq: number, count: number) =>
        readAudit(await deps.databases.open(workspaceId), afterSeq, count);
      return c.body(auditLines(read), 200, { 'content-type': 'application/x-ndjson' });
    },
  );
}

/** @throws Fault invalid_request for a page that is to go both ways */
function entriesOf(
  database: Database,
  { after, before, subject, limit }: z.infer<typeof AuditQuery>,
): Promise<AuditEntry[]> {
  if (before === undefined && subject === undefined) return readAudit(database, after ?? 0, limit);
  if (after !== undefined) {
    const message =
      'after is for the whole log, the oldest first; before, and the entries of one subject, are read the newest first. Leave after out.';
    throw new Fault('invalid_request', message, {
      faults: [{ path: 'after', message: 'goes with neither' }],
    });
  }
  return readAuditBefore(database, { beforeSeq: before ?? null, subject: subject ?? null, limit });
}
