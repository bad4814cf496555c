import * as z from 'zod';
import { Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import { commitWorktree } from './commit.ts';
import { integrate } from './integrate.ts';

const Branch = z.string().min(1).max(250);
const Key = z.string().min(1).max(200);

const CommitRequest = z.strictObject({
  conversationId: z.string().min(1).max(80),
  message: z.string().min(1).max(20_000),
  agentId: z.string().min(1).max(80),
  requestedBy: Actor.nullish(),
  key: Key,
});
export type CommitRequest = z.infer<typeof CommitRequest>;

const IntegrationRequest = z.strictObject({
  spaceId: z.string().min(1).max(80),
  branch: Branch,
  base: Branch.nullish(),
  merge: z.array(Branch).max(1_000),
  key: Key,
});
export type IntegrationRequest = z.infer<typeof IntegrationRequest>;

function requireService(actor: string): void {
  if (!actor.startsWith('service:')) {
    throw new Fault('forbidden', 'Work is committed and integrated by the services, not by request.');
  }
}

export function worktreeRoutes(deps: RunsDeps) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .post('/worktrees/commit', validate('json', CommitRequest), async (c) => {
      requireService(c.var.actor);
      return c.json(await commitWorktree(deps, c.req.param('workspaceId'), c.req.valid('json')), 200);
    })
    .post('/integrations', validate('json', IntegrationRequest), async (c) => {
      requireService(c.var.actor);
      return c.json(await integrate(deps, c.req.param('workspaceId'), c.req.valid('json')), 200);
    });
}
