import * as z from 'zod';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import { readHistories } from './store.ts';

const Query = z.object({ agentIds: z.string().min(1).max(20_000) });

export function historyRoutes(deps: RunsDeps) {
  return serviceRouter().get(
    '/api/workspaces/:workspaceId/histories',
    validate('query', Query),
    async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const agentIds = [...new Set(c.req.valid('query').agentIds.split(','))];
      return c.json(await readHistories(database, agentIds), 200);
    },
  );
}
