import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Paging, pageOf } from '../fields.ts';
import { requireOperator } from '../members/role.ts';
import { found } from '../not-found.ts';
import type { Presence } from '../presence/presence.ts';
import {
  decideApproval,
  requestApproval,
  supersedeApproval,
  supersedeRunApprovals,
} from './approval-operations.ts';
import { ApprovalFilter, NewApproval, NewDecision, RunSupersession } from './schema.ts';
import { findApproval, listApprovals } from './store.ts';

export function approvalRoutes(deps: SpacesDeps, presence: Presence) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/approvals')
    .post('/', validate('json', NewApproval), async (c) => {
      const workspaceId = c.req.param('workspaceId');
      const database = await deps.databases.open(workspaceId);
      const isAttended = () => presence.isAttended(workspaceId);
      const input = c.req.valid('json');
      return c.json(await requestApproval(database, input, isAttended, c.get('actor'), deps.clock()), 201);
    })
    .get('/', validate('query', Paging.extend(ApprovalFilter.shape)), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const query = c.req.valid('query');
      return c.json(pageOf(await listApprovals(database, query, query), query.limit), 200);
    })
    .post('/supersede-of-run', validate('json', RunSupersession), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const input = c.req.valid('json');
      return c.json(await supersedeRunApprovals(database, input, c.get('actor'), deps.clock()), 200);
    })
    .get('/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const id = c.req.param('id');
      return c.json(found(await findApproval(database, id), 'approval', id), 200);
    })
    .post('/:id/decision', validate('json', NewDecision), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const [input, actor] = [c.req.valid('json'), c.get('actor')];
      await requireOperator(deps.control, actor, 'decide an approval');
      return c.json(await decideApproval(database, c.req.param('id'), input, actor, deps.clock()), 200);
    })
    .post('/:id/supersede', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await supersedeApproval(database, c.req.param('id'), c.get('actor'), deps.clock()), 200);
    });
}
