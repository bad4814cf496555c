import * as z from 'zod';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { inboxOf } from './inbox.ts';

const InboxQuery = z.object({ limit: z.coerce.number().int().min(1).max(1000).default(200) });

export function inboxRoutes(deps: SpacesDeps) {
  return serviceRouter().get(
    '/api/workspaces/:workspaceId/inbox',
    validate('query', InboxQuery),
    async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await inboxOf(database, c.req.valid('query').limit, deps.clock()), 200);
    },
  );
}
