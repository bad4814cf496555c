import type * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { Orchestration } from '../orchestrations/orchestration.ts';
import { ListQuery } from '../orchestrations/schema.ts';
import type { Plan } from './plan.ts';
import { PlanInput } from './schema.ts';

/** Plans are decided, edited and followed by the routes of orchestrations, under the same id. */
export interface PlanDesk {
  submit(workspaceId: string, actor: Actor, input: PlanInput): Promise<Plan>;
  list(workspaceId: string, query: PlanQuery): Promise<{ items: Orchestration[]; next: string | null }>;
  get(workspaceId: string, id: string): Promise<Plan>;
}

const PlanQuery = ListQuery.omit({ kind: true });
type PlanQuery = z.infer<typeof PlanQuery>;

/** Routes below `/api/workspaces/:workspaceId/plans`. */
export function planRoutes(desk: PlanDesk) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/plans')
    .post('/', validate('json', PlanInput), async (c) =>
      c.json(await desk.submit(c.req.param('workspaceId'), c.var.actor, c.req.valid('json')), 201),
    )
    .get('/', validate('query', PlanQuery), async (c) =>
      c.json(await desk.list(c.req.param('workspaceId'), c.req.valid('query')), 200),
    )
    .get('/:id', async (c) => c.json(await desk.get(c.req.param('workspaceId'), c.req.param('id')), 200));
}
