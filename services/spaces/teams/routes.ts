import { newId } from '../../kit/id.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { requireColleagues } from '../members/colleagues-exist.ts';
import { found } from '../not-found.ts';
import { findProject } from '../projects/store.ts';
import { NewTeam } from './schema.ts';
import { insertTeam, listTeams } from './store.ts';

export function teamRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/teams')
    .post('/', validate('json', NewTeam), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const { key, ...input } = c.req.valid('json');
      await requireColleagues(deps.control, database, input.members, (i) => `members[${i}]`);
      if (input.projectId) found(await findProject(database, input.projectId), 'project', input.projectId);
      const team = { id: newId('tm'), ...input, createdAt: deps.clock() };
      return c.json(await insertTeam(database, team, key ?? null, c.get('actor')), 201);
    })
    .get('/', validate('query', Paging), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const paging = c.req.valid('query');
      return c.json(pageOf(await listTeams(database, paging), paging.limit), 200);
    });
}
