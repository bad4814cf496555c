import * as z from 'zod';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import { readSpendings } from '../budgets/spendings.ts';
import type { RunsDeps } from '../deps.ts';
import { readStandings } from './store.ts';

const OfScope = z.object({ budgetScope: z.string().min(1).max(120) });
const OfTargets = z.object({ targets: z.string().min(1).max(20_000) });

/** What a service has to know of all the runs that share a budget, in one look: what stands in their way, and what they spent. */
export function standingRoutes(deps: RunsDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/runs')
    .get('/standings', validate('query', OfScope), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json({ items: await readStandings(database, c.req.valid('query').budgetScope) }, 200);
    })
    .get('/spendings', validate('query', OfTargets), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json({ items: await readSpendings(database, c.req.valid('query').targets.split(',')) }, 200);
    });
}
