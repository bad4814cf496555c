import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import { closeWorktrees } from './close.ts';
import { commitWorktree } from './commit.ts';
import { integrate } from './integrate.ts';
import { CloseRequest, CommitRequest, IntegrationRequest } from './schema.ts';

function requireService(actor: string): void {
  if (!actor.startsWith('service:')) {
    throw new Fault(
      'forbidden',
      'Work is committed, integrated and put away by the services, not by request.',
    );
  }
}

export function worktreeRoutes(deps: RunsDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .post('/worktrees/commit', validate('json', CommitRequest), async (c) => {
      requireService(c.var.actor);
      return c.json(await commitWorktree(deps, c.req.param('workspaceId'), c.req.valid('json')), 200);
    })
    .post('/worktrees/close', validate('json', CloseRequest), async (c) => {
      requireService(c.var.actor);
      const { budgetScope } = c.req.valid('json');
      return c.json(await closeWorktrees(deps, c.req.param('workspaceId'), budgetScope), 200);
    })
    .post('/integrations', validate('json', IntegrationRequest), async (c) => {
      requireService(c.var.actor);
      return c.json(await integrate(deps, c.req.param('workspaceId'), c.req.valid('json')), 200);
    });
}
