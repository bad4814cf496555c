import * as z from 'zod';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import { BudgetScope, SetBudget } from './schema.ts';
import { findBudget, setBudget } from './store.ts';

const Param = z.object({ workspaceId: z.string(), scope: BudgetScope });

export function budgetRoutes(deps: RunsDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/budgets')
    .put('/:scope', validate('param', Param), validate('json', SetBudget), async (c) => {
      if (!c.var.actor.startsWith('service:')) {
        throw new Fault('forbidden', 'A budget is set through the orchestration it belongs to.');
      }
      const { workspaceId, scope } = c.req.valid('param');
      const database = await deps.databases.open(workspaceId);
      return c.json(await setBudget(database, scope, c.req.valid('json').capMicros, deps.clock()), 200);
    })
    .get('/:scope', validate('param', Param), async (c) => {
      const { workspaceId, scope } = c.req.valid('param');
      return c.json(await findBudget(await deps.databases.open(workspaceId), scope), 200);
    });
}
