import { newId } from '../../kit/id.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { NewProject } from './schema.ts';
import { insertProject, listProjects } from './store.ts';

export function projectRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/projects')
    .post('/', validate('json', NewProject), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const { key, ...input } = c.req.valid('json');
      const project = { id: newId('prj'), ...input, createdAt: deps.clock() };
      return c.json(await insertProject(database, project, key ?? null, c.get('actor')), 201);
    })
    .get('/', validate('query', Paging), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const paging = c.req.valid('query');
      return c.json(pageOf(await listProjects(database, paging), paging.limit), 200);
    });
}
