import * as z from 'zod';
import { isPerson, requirePerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import type { Executor } from '../dispatch/executor.ts';
import type { RunControl } from '../dispatch/run-control.ts';
import type { Takeovers } from '../dispatch/takeover.ts';
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
  /** The newest first, from this run on backwards; `order` begins at the newest of all. */
  before: z.string().optional(),
  order: z.enum(['oldest', 'newest']).optional(),
  limit: Limit.optional(),
});
const EntriesQuery = z.object({ after: z.coerce.number().int().min(0).optional(), limit: Limit.optional() });
const Text = z.string().trim().min(1).max(400_000);
const Steer = z.strictObject({ text: Text, key: z.string().min(1).max(100).optional() });
const Handback = z.strictObject({ note: Text.nullish() });
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

/** @throws Fault invalid_request for a page that is to go both ways */
function requireOneWay({ after, before, order }: z.infer<typeof ListQuery>): void {
  const isBackwards = before !== undefined || order === 'newest';
  if (!isBackwards || (after === undefined && order !== 'oldest')) return;
  const message =
    'Runs are listed the oldest first by after, or the newest first by before: give one of the two.';
  throw new Fault('invalid_request', message, {
    faults: [{ path: 'before', message: 'goes with neither after nor oldest' }],
  });
}

export function runRoutes(deps: RunsDeps, executor: Executor, control: RunControl, takeovers: Takeovers) {
  return (
    serviceRouter()
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
        const query = c.req.valid('query');
        requireOneWay(query);
        return c.json(await listRuns(database, query), 200);
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
        return c.json(await control.pause(c.req.param('workspaceId'), c.req.param('id'), c.var.actor), 200);
      })
      .post('/:id/resume', async (c) => {
        refuseAgents(c.var.actor);
        return c.json(await control.resume(c.req.param('workspaceId'), c.req.param('id'), c.var.actor), 200);
      })
      .post('/:id/steer', validate('json', Steer), async (c) => {
        requirePerson(c.var.actor, 'tell something to a run at work');
        const { workspaceId, id } = c.req.param();
        return c.json(await control.steer(workspaceId, id, c.req.valid('json'), c.var.actor), 202);
      })
      // 202: it is reserved, and the call in flight is not over; the same request again waits on.
      .post('/:id/takeover', async (c) => {
        requirePerson(c.var.actor, 'take the work of a run over');
        const { workspaceId, id } = c.req.param();
        const taken = await takeovers.take(workspaceId, id, c.var.actor);
        return c.json(taken, taken.state === 'held' ? 200 : 202);
      })
      .post('/:id/handback', validate('json', Handback), async (c) => {
        requirePerson(c.var.actor, 'hand the work of a run back');
        const { workspaceId, id } = c.req.param();
        const { note = null } = c.req.valid('json');
        return c.json(await takeovers.giveBack(workspaceId, id, note, c.var.actor), 200);
      })
  );
}
