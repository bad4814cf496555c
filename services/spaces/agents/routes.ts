import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { requireHiringActor } from '../permission.ts';
import type { Roster } from './roster.ts';
import { AgentChange, NewAgent } from './schema.ts';
import { findAgent, listAgents } from './store.ts';

export function agentRoutes(deps: SpacesDeps, roster: Roster) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/agents')
    .post('/', validate('json', NewAgent), async (c) => {
      requireHiringActor(c.get('actor'));
      const agent = await roster.hire(c.req.param('workspaceId'), c.req.valid('json'), c.get('actor'));
      return c.json(agent, 201);
    })
    .get('/', validate('query', Paging), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const paging = c.req.valid('query');
      return c.json(pageOf(await listAgents(database, paging), paging.limit), 200);
    })
    .get('/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      return c.json(found(await findAgent(database, id), 'agent', id), 200);
    })
    .patch('/:id', validate('json', AgentChange), async (c) => {
      requireHiringActor(c.get('actor'));
      const { workspaceId, id } = c.req.param();
      return c.json(await roster.change(workspaceId, id, c.req.valid('json'), c.get('actor')), 200);
    });
}
