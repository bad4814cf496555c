import * as z from 'zod';
import { isPerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import type { Executor } from '../dispatch/executor.ts';
import { readEntries } from '../entries/store.ts';
import { createRun } from './create-run.ts';
import { CreateRun, RunStatus } from './schema.ts';
import { findRun, listRuns } from './store.ts';

const Limit = z.coerce.number().int().min(1).max(500);
const ListQuery = z.object({
  conversationId: z.string().optional(),
  status: RunStatus.optional(),
  agentId: z.string().optional(),
  parentRunId: z.string().optional(),
  rootRunId: z.string().optional(),
  after: z.string().optional(),
  limit: Limit.optional(),
});
const EntriesQuery = z.object({ after: z.coerce.number().int().min(0).optional(), limit: Limit.optional() });
const CancelScope = z.strictObject({ budgetScope: z.string().min(1).max(120) });

/** Agents start no runs of their own: what they may set going passes through a person or a service. */
function refuseAgents(actor: string): void {
  if (actor.startsWith('agent:')) {
    throw new Fault(
      'forbidden',
      'An agent may not start, stop or resume runs; ask a person in your conversation.',
    );
  }
}

export function runRoutes(deps: RunsDeps, executor: Executor) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/runs')
    .post('/', validate('json', CreateRun), async (c) => {
      const [actor, workspaceId] = [c.var.actor, c.req.param('workspaceId')];
      refuseAgents(actor);
      const input = c.req.valid('json');
      const requestedBy = input.requestedBy ?? (isPerson(actor) ? actor : null);
      const run = await createRun(deps, workspaceId, { ...input, requestedBy });
      void executor.pump(workspaceId);
      return c.json(run, 201);
    })
    .get('/', validate('query', ListQuery), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await listRuns(database, c.req.valid('query')), 200);
    })
    .post('/cancel', validate('json', CancelScope), async (c) => {
      refuseAgents(c.var.actor);
      const cancelled = await executor.cancelScope(
        c.req.param('workspaceId'),
        c.req.valid('json').budgetScope,
        c.var.actor,
      );
      return c.json({ cancelled }, 200);
    })
    .get('/:id', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json(await findRun(database, c.req.param('id')), 200);
    })
    .get('/:id/entries', validate('query', EntriesQuery), async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      const run = await findRun(database, c.req.param('id'));
      const { after = 0, limit = 200 } = c.req.valid('query');
      const found = await readEntries(database, run.id, after, limit + 1);
      const items = found.slice(0, limit);
      const next = found.length > limit ? String(items.at(-1)?.seq) : null;
      return c.json({ items, next }, 200);
    })
    .post('/:id/cancel', async (c) => {
      refuseAgents(c.var.actor);
      return c.json(await executor.cancel(c.req.param('workspaceId'), c.req.param('id'), c.var.actor), 200);
    })
    .post('/:id/pause', async (c) => {
      refuseAgents(c.var.actor);
      return c.json(await executor.pause(c.req.param('workspaceId'), c.req.param('id'), c.var.actor), 200);
    })
    .post('/:id/resume', async (c) => {
      refuseAgents(c.var.actor);
      return c.json(await executor.resume(c.req.param('workspaceId'), c.req.param('id'), c.var.actor), 200);
    });
}
