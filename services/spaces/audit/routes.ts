import * as z from 'zod';
import { requirePerson } from '../../kit/actor.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { readAudit } from './audit.ts';
import { auditLines } from './export.ts';

const AuditQuery = z.object({
  after: z.coerce.number('must be a sequence number').int().min(0).default(0),
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
      const { after, limit, format } = c.req.valid('query');
      const database = await deps.databases.open(workspaceId);
      if (format === 'json') {
        const items = await readAudit(database, after, limit);
        return c.json({ items, next: items.length === limit ? String(items.at(-1)?.seq) : null }, 200);
      }
      const read = async (afterSeq: number, count: number) =>
        readAudit(await deps.databases.open(workspaceId), afterSeq, count);
      return c.body(auditLines(read), 200, { 'content-type': 'application/x-ndjson' });
    },
  );
}
