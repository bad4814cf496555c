import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { requireOperator } from '../members/role.ts';
import { guardrailsOf } from './effective.ts';
import { deleteRule, setRule } from './rule-operations.ts';
import { GuardrailQuery, NewRule } from './schema.ts';
import { listRules } from './store.ts';

export function guardrailRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/guardrails')
    .get('/', validate('query', GuardrailQuery), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await guardrailsOf(database, c.req.valid('query')), 200);
    })
    .get('/rules', validate('query', Paging), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const paging = c.req.valid('query');
      return c.json(pageOf(await listRules(database, paging), paging.limit), 200);
    })
    .put('/rules', validate('json', NewRule), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const actor = c.get('actor');
      await requireOperator(deps.control, actor, 'set a guardrail');
      return c.json(await setRule(database, c.req.valid('json'), actor, deps.clock()), 200);
    })
    .delete('/rules/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const actor = c.get('actor');
      await requireOperator(deps.control, actor, 'remove a guardrail');
      return c.json(await deleteRule(database, c.req.param('id'), actor, deps.clock()), 200);
    });
}
