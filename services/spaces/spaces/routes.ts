import type { Database } from '../../kit/database/database.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { leavePlan } from '../plan-exit/leave-plan.ts';
import { NewPlanExit } from '../plan-exit/schema.ts';
import { NewSpace, type ShownSpace, SpaceChange } from './schema.ts';
import { changeSpace, createSpace } from './space-operations.ts';
import { findShownSpace, listSpaces } from './store.ts';

export function spaceRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/spaces')
    .post('/', validate('json', NewSpace), async (c) => {
      const workspaceId = c.req.param('workspaceId');
      const { id } = await createSpace(deps, workspaceId, c.req.valid('json'), c.get('actor'));
      return c.json(await shownSpace(await deps.databases.open(workspaceId), id), 201);
    })
    .get('/', validate('query', Paging), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const paging = c.req.valid('query');
      return c.json(pageOf(await listSpaces(database, paging), paging.limit), 200);
    })
    .get('/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await shownSpace(database, c.req.param('id')), 200);
    })
    .patch('/:id', validate('json', SpaceChange), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const change = c.req.valid('json');
      const { id } = await changeSpace(deps, database, c.req.param('id'), change, c.get('actor'));
      return c.json(await shownSpace(database, id), 200);
    })
    .post('/:id/plan-exit', validate('json', NewPlanExit), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const input = c.req.valid('json');
      return c.json(await leavePlan(database, c.req.param('id'), input, c.get('actor'), deps.clock()), 200);
    });
}

/** @throws Fault not_found */
async function shownSpace(database: Database, id: string): Promise<ShownSpace> {
  return found(await findShownSpace(database, id), 'space', id);
}
