import { type Actor, requirePerson } from '../../kit/actor.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { validate } from '../../kit/validate.ts';
import type { EstimateBasis } from './estimate-basis.ts';
import type { Orchestration, OrchestrationDetail } from './orchestration.ts';
import {
  ApproveDeferredInput,
  ApproveInput,
  BudgetInput,
  ChangesInput,
  ListQuery,
  ProposeInput,
  RejectInput,
  ReviseInput,
  type Revision,
  RollbackInput,
} from './schema.ts';

/** What the routes ask of the service; every call names the workspace and who asks. */
export interface OrchestrationDesk {
  propose(workspaceId: string, actor: Actor, input: ProposeInput): Promise<Orchestration>;
  list(workspaceId: string, query: ListQuery): Promise<{ items: Orchestration[]; next: string | null }>;
  detail(workspaceId: string, id: string): Promise<OrchestrationDetail>;
  revisions(workspaceId: string, id: string): Promise<{ items: Revision[]; next: null }>;
  revision(workspaceId: string, id: string, revision: string): Promise<Revision>;
  estimateBasis(workspaceId: string, id: string): Promise<EstimateBasis>;
  revise(workspaceId: string, actor: Actor, id: string, input: ReviseInput): Promise<Orchestration>;
  rollback(workspaceId: string, actor: Actor, id: string, input: RollbackInput): Promise<Orchestration>;
  approve(workspaceId: string, actor: Actor, id: string, input: ApproveInput): Promise<Orchestration>;
  approveDeferred(workspaceId: string, actor: Actor, id: string, tickets: string[]): Promise<Orchestration>;
  reject(workspaceId: string, actor: Actor, id: string, reason: string): Promise<Orchestration>;
  requestChanges(workspaceId: string, actor: Actor, id: string, input: ChangesInput): Promise<Orchestration>;
  cancel(workspaceId: string, actor: Actor, id: string): Promise<Orchestration>;
  raiseBudget(workspaceId: string, actor: Actor, id: string, capMicros: number): Promise<Orchestration>;
  retryStep(workspaceId: string, actor: Actor, id: string, key: string): Promise<OrchestrationDetail>;
  skipStep(workspaceId: string, actor: Actor, id: string, key: string): Promise<OrchestrationDetail>;
}

/** Step keys hold a slash (`ticket/api`), written as it is or as %2F. */
const STEP = '/:id/steps/:key{.+}';

/** Routes below `/api/workspaces/:workspaceId/orchestrations`. */
export function orchestrationRoutes(desk: OrchestrationDesk) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/orchestrations')
    .post('/', validate('json', ProposeInput), async (c) =>
      c.json(await desk.propose(c.req.param('workspaceId'), c.var.actor, c.req.valid('json')), 201),
    )
    .get('/', validate('query', ListQuery), async (c) =>
      c.json(await desk.list(c.req.param('workspaceId'), c.req.valid('query')), 200),
    )
    .get('/:id', async (c) => c.json(await desk.detail(c.req.param('workspaceId'), c.req.param('id')), 200))
    .get('/:id/revisions', async (c) =>
      c.json(await desk.revisions(c.req.param('workspaceId'), c.req.param('id')), 200),
    )
    .get('/:id/revisions/:revision', async (c) => {
      const { workspaceId, id, revision } = c.req.param();
      return c.json(await desk.revision(workspaceId, id, revision), 200);
    })
    .get('/:id/estimate-basis', async (c) =>
      c.json(await desk.estimateBasis(c.req.param('workspaceId'), c.req.param('id')), 200),
    )
    .post('/:id/revisions', validate('json', ReviseInput), async (c) => {
      requirePerson(c.var.actor, 'edit a proposal');
      const { workspaceId, id } = c.req.param();
      return c.json(await desk.revise(workspaceId, c.var.actor, id, c.req.valid('json')), 201);
    })
    .post('/:id/rollback', validate('json', RollbackInput), async (c) => {
      requirePerson(c.var.actor, 'roll a proposal back');
      const { workspaceId, id } = c.req.param();
      return c.json(await desk.rollback(workspaceId, c.var.actor, id, c.req.valid('json')), 201);
    })
    .post('/:id/approve', validate('json', ApproveInput), async (c) => {
      requirePerson(c.var.actor, 'approve an orchestration');
      const { workspaceId, id } = c.req.param();
      return c.json(await desk.approve(workspaceId, c.var.actor, id, c.req.valid('json')), 200);
    })
    .post('/:id/approve-deferred', validate('json', ApproveDeferredInput), async (c) => {
      requirePerson(c.var.actor, 'approve what was deferred');
      const { workspaceId, id } = c.req.param();
      return c.json(
        await desk.approveDeferred(workspaceId, c.var.actor, id, c.req.valid('json').tickets),
        200,
      );
    })
    .post('/:id/reject', validate('json', RejectInput), async (c) => {
      requirePerson(c.var.actor, 'reject an orchestration');
      const { workspaceId, id } = c.req.param();
      return c.json(await desk.reject(workspaceId, c.var.actor, id, c.req.valid('json').reason), 200);
    })
    .post('/:id/request-changes', validate('json', ChangesInput), async (c) => {
      requirePerson(c.var.actor, 'ask for changes');
      const { workspaceId, id } = c.req.param();
      return c.json(await desk.requestChanges(workspaceId, c.var.actor, id, c.req.valid('json')), 200);
    })
    .post('/:id/cancel', async (c) => {
      requirePerson(c.var.actor, 'cancel an orchestration');
      return c.json(await desk.cancel(c.req.param('workspaceId'), c.var.actor, c.req.param('id')), 200);
    })
    .post('/:id/budget', validate('json', BudgetInput), async (c) => {
      requirePerson(c.var.actor, 'raise a budget');
      const { workspaceId, id } = c.req.param();
      const { capMicros } = c.req.valid('json');
      return c.json(await desk.raiseBudget(workspaceId, c.var.actor, id, capMicros), 200);
    })
    .post(`${STEP}/retry`, async (c) => {
      requirePerson(c.var.actor, 'retry a step');
      const { workspaceId, id, key } = c.req.param();
      return c.json(await desk.retryStep(workspaceId, c.var.actor, id, key), 200);
    })
    .post(`${STEP}/skip`, async (c) => {
      requirePerson(c.var.actor, 'skip a step');
      const { workspaceId, id, key } = c.req.param();
      return c.json(await desk.skipStep(workspaceId, c.var.actor, id, key), 200);
    });
}
