import * as z from 'zod';
import { type Actor, isPerson } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { Fault } from '../../kit/fault.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { RunsDeps } from '../deps.ts';
import type { Executor } from '../dispatch/executor.ts';
import { findRow } from '../runs/store.ts';
import { setCap } from './caps.ts';
import { findBudget, listBudgets } from './overview.ts';
import { isOfPeople, SetBudget, Target } from './schema.ts';

const Param = z.object({ workspaceId: z.string(), target: Target });

/** What people set and what services set are apart, and agents set nothing. */
function requireSetter(actor: Actor, target: string): void {
  if (isOfPeople(target)) {
    if (isPerson(actor)) return;
    throw new Fault('people_only', 'Only a person may set what a run, an agent or the workspace may spend.', {
      actor,
    });
  }
  if (actor.startsWith('service:')) return;
  const message = `The budget ${target} is set through the orchestration it belongs to; caps of people are run, run:<id>, agent:<id> and workspace.`;
  throw new Fault('forbidden', message);
}

export function budgetRoutes(deps: RunsDeps, executor: Executor) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/budgets')
    .get('/', async (c) => {
      const database = await deps.databases.open(c.req.param('workspaceId'));
      return c.json({ items: await listBudgets(database, deps.clock()) }, 200);
    })
    .put('/:target', validate('param', Param), validate('json', SetBudget), async (c) => {
      const { workspaceId, target } = c.req.valid('param');
      requireSetter(c.var.actor, target);
      const database = await deps.databases.open(workspaceId);
      await requireExists(deps, workspaceId, database, target);
      const at = deps.clock();
      await setCap(database, { target, capMicros: c.req.valid('json').capMicros, by: c.var.actor, at });
      void executor.pump(workspaceId);
      return c.json(await findBudget(database, target, at), 200);
    })
    .get('/:target', validate('param', Param), async (c) => {
      const { workspaceId, target } = c.req.valid('param');
      const database = await deps.databases.open(workspaceId);
      await requireExists(deps, workspaceId, database, target);
      return c.json(await findBudget(database, target, deps.clock()), 200);
    });
}

/** @throws Fault not_found for an agent or a run that there is not; invalid_request for a run that is a sub-agent */
async function requireExists(
  deps: RunsDeps,
  workspaceId: string,
  database: Database,
  target: string,
): Promise<void> {
  if (target.startsWith('agent:')) await deps.spaces.agent(workspaceId, target.slice('agent:'.length));
  if (!target.startsWith('run:')) return;
  const { id, rootRunId } = await findRow(database, target.slice('run:'.length));
  if (rootRunId === null) return;
  const message = `Run ${id} is a sub-agent and spends the budget of its root: set the cap of run:${rootRunId}.`;
  throw new Fault('invalid_request', message);
}
