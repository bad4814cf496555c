import type { Actor } from '../../kit/actor.ts';
import { unwrap } from '../../kit/peer.ts';
import type { Orchestration, OrchestrationDetail } from '../orchestrations/orchestration.ts';
import type { OrchestrationStatus } from '../orchestrations/schema.ts';
import type { Plan } from '../plans/plan.ts';
import { PERSON, proposalOf, WORKSPACE, type World } from './world.ts';

const param = { workspaceId: WORKSPACE };

/** What people and agents ask of the service in a world, over its typed client. */
export function driverOf(world: World) {
  const of = (actor: Actor) => world.as(actor).orchestrations[':id'];
  const driver = {
    propose(
      over: { proposal?: unknown; key?: string; orchestrationId?: string; baseRevision?: number } = {},
      actor: Actor = world.agent,
    ): Promise<Orchestration> {
      const { spaceId, conversationId } = world;
      const json = { proposal: proposalOf(), spaceId, conversationId, ...over };
      return unwrap(world.as(actor).orchestrations.$post({ param, json }));
    },
    plan(
      nodes: unknown,
      over: {
        goal?: string;
        key?: string;
        planId?: string;
        baseRevision?: number;
        budgetMicros?: number;
      } = {},
      actor: Actor = world.agent,
    ): Promise<Plan> {
      const { spaceId, conversationId } = world;
      const json = { goal: 'Plan it', spaceId, conversationId, nodes, ...over };
      return unwrap(world.as(actor).plans.$post({ param, json }));
    },
    planOf: (id: string): Promise<Plan> =>
      unwrap(world.as(PERSON).plans[':id'].$get({ param: { ...param, id } })),
    requestChanges: (
      id: string,
      reason: string,
      revision?: number,
      actor: Actor = PERSON,
    ): Promise<Orchestration> =>
      unwrap(of(actor)['request-changes'].$post({ param: { ...param, id }, json: { reason, revision } })),
    approve: (id: string, revision = 1, actor: Actor = PERSON, tickets?: string[]): Promise<Orchestration> =>
      unwrap(of(actor).approve.$post({ param: { ...param, id }, json: { revision, tickets } })),
    approvePart: (id: string, ...tickets: string[]): Promise<Orchestration> =>
      driver.approve(id, 1, PERSON, tickets),
    approveDeferred: (id: string, tickets: string[], actor: Actor = PERSON): Promise<Orchestration> =>
      unwrap(of(actor)['approve-deferred'].$post({ param: { ...param, id }, json: { tickets } })),
    list: async (): Promise<Orchestration[]> =>
      (await unwrap(world.as(PERSON).orchestrations.$get({ param, query: {} }))).items,
    estimateBasis: (id: string) => unwrap(of(PERSON)['estimate-basis'].$get({ param: { ...param, id } })),
    revision: (id: string, revision: string) =>
      unwrap(of(PERSON).revisions[':revision'].$get({ param: { ...param, id, revision } })),
    reject: (id: string, reason: string, actor: Actor = PERSON): Promise<Orchestration> =>
      unwrap(of(actor).reject.$post({ param: { ...param, id }, json: { reason } })),
    cancel: (id: string, actor: Actor = PERSON): Promise<Orchestration> =>
      unwrap(of(actor).cancel.$post({ param: { ...param, id } })),
    raise: (id: string, capMicros: number, actor: Actor = PERSON): Promise<Orchestration> =>
      unwrap(of(actor).budget.$post({ param: { ...param, id }, json: { capMicros } })),
    revise: (
      id: string,
      baseRevision: number,
      proposal: unknown,
      actor: Actor = PERSON,
    ): Promise<Orchestration> =>
      unwrap(of(actor).revisions.$post({ param: { ...param, id }, json: { baseRevision, proposal } })),
    rollBack: (id: string, baseRevision: number, to: number, actor: Actor = PERSON): Promise<Orchestration> =>
      unwrap(of(actor).rollback.$post({ param: { ...param, id }, json: { baseRevision, to } })),
    revisions: async (id: string) =>
      (await unwrap(of(PERSON).revisions.$get({ param: { ...param, id } }))).items,
    detail: (id: string): Promise<OrchestrationDetail> =>
      unwrap(of(PERSON).$get({ param: { ...param, id } })),
    retry: (id: string, key: string, actor: Actor = PERSON): Promise<OrchestrationDetail> =>
      unwrap(of(actor).steps[':key{.+}'].retry.$post({ param: { ...param, id, key } })),
    skip: (id: string, key: string, actor: Actor = PERSON): Promise<OrchestrationDetail> =>
      unwrap(of(actor).steps[':key{.+}'].skip.$post({ param: { ...param, id, key } })),
    async stateOf(id: string, key: string): Promise<string | undefined> {
      return (await driver.detail(id)).steps.find((step) => step.key === key)?.state;
    },
    stepIs: (id: string, key: string, state: string): Promise<void> =>
      world.until(`${key} is ${state}`, async () => (await driver.stateOf(id, key)) === state),
    /** Ended, and everything about it closed: the card is the last thing that is. */
    async ended(id: string, status: OrchestrationStatus): Promise<OrchestrationDetail> {
      await world.until(`${id} is ${status}`, async () => (await driver.detail(id)).status === status);
      await world.until(`${id} is closed`, async () => {
        const database = await world.outside.open(WORKSPACE);
        const sql = 'SELECT settled FROM orchestrations WHERE id = ?';
        const [row] = await database.read({ sql, args: [id] });
        return Number(row?.settled) === 1;
      });
      return driver.detail(id);
    },
  };
  return driver;
}
export type Driver = ReturnType<typeof driverOf>;
