import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { found } from '../not-found.ts';
import { decideApproval, requestApproval, supersedeApproval } from './approval-operations.ts';
import { ApprovalFilter, NewApproval, NewDecision } from './schema.ts';
import { findApproval, listApprovals } from './store.ts';

export function approvalRoutes(deps: SpacesDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/approvals')
    .post('/', validate('json', NewApproval), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await requestApproval(database, c.req.valid('json'), c.get('actor'), deps.clock()), 201);
    })
    .get('/', validate('query', Paging.extend(ApprovalFilter.shape)), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const query = c.req.valid('query');
      return c.json(pageOf(await listApprovals(database, query, query), query.limit), 200);
    })
    .get('/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      return c.json(found(await findApproval(database, id), 'approval', id), 200);
    })
    .post('/:id/decision', validate('json', NewDecision), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const input = c.req.valid('json');
      return c.json(
        await decideApproval(database, c.req.param('id'), input, c.get('actor'), deps.clock()),
        200,
      );
    })
    .post('/:id/supersede', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await supersedeApproval(database, c.req.param('id'), c.get('actor'), deps.clock()), 200);
    });
}
