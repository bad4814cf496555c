import type { Actor } from '../../kit/actor.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import { type Plan, PlanInput } from './schema.ts';

export interface PlanDesk {
  submit(workspaceId: string, actor: Actor, input: PlanInput): Promise<Plan>;
  get(workspaceId: string, id: string): Promise<Plan>;
}

/** Routes below `/api/workspaces/:workspaceId/plans`. */
export function planRoutes(desk: PlanDesk) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/plans')
    .post('/', validate('json', PlanInput), async (c) =>
      c.json(await desk.submit(c.req.param('workspaceId'), c.var.actor, c.req.valid('json')), 201),
    )
    .get('/:id', async (c) => c.json(await desk.get(c.req.param('workspaceId'), c.req.param('id')), 200));
}
