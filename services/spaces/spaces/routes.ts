import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { leavePlan } from '../plan-exit/leave-plan.ts';
import { NewPlanExit } from '../plan-exit/schema.ts';
import { NewSpace, SpaceChange } from './schema.ts';
import { changeSpace, createSpace } from './space-operations.ts';
import { findSpace, listSpaces } from './store.ts';

export function spaceRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/spaces')
    .post('/', validate('json', NewSpace), async (c) => {
      const workspaceId = c.req.param('workspaceId');
      return c.json(await createSpace(deps, workspaceId, c.req.valid('json'), c.get('actor')), 201);
    })
    .get('/', validate('query', Paging), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const paging = c.req.valid('query');
      return c.json(pageOf(await listSpaces(database, paging), paging.limit), 200);
    })
    .get('/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      return c.json(found(await findSpace(database, id), 'space', id), 200);
    })
    .patch('/:id', validate('json', SpaceChange), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const change = c.req.valid('json');
      return c.json(await changeSpace(deps, database, c.req.param('id'), change, c.get('actor')), 200);
    })
    .post('/:id/plan-exit', validate('json', NewPlanExit), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const input = c.req.valid('json');
      return c.json(await leavePlan(database, c.req.param('id'), input, c.get('actor'), deps.clock()), 200);
    });
}
