import { requirePerson } from '../../kit/actor.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import type { Founding } from './founding.ts';
import { NewWorkspace } from './schema.ts';
import { findWorkspace, listWorkspaces } from './store.ts';

export function workspaceRoutes(deps: SpacesDeps, founding: Founding) {
  return serviceRouter()
    .basePath('/api/workspaces')
    .post('/', validate('json', NewWorkspace), async (c) => {
      requirePerson(c.get('actor'), 'create a workspace');
      return c.json(await founding.found(c.req.valid('json'), c.get('actor')), 201);
    })
    .get('/', validate('query', Paging), async (c) => {
      const paging = c.req.valid('query');
      return c.json(pageOf(await listWorkspaces(deps.control, paging), paging.limit), 200);
    })
    .get('/:workspaceId', async (c) => {
      const id = c.req.param('workspaceId');
      return c.json(found(await findWorkspace(deps.control, id), 'workspace', id), 200);
    });
}
