import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Proposal } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import type { Clock } from '../../kit/clock.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import { Fault } from '../../kit/fault.ts';
import {
  type ListQuery,
  type OrchestrationRow,
  type OrchestrationStatus,
  orchestrations,
  revisions,
} from './schema.ts';

/** A change of one orchestration's row, and its event, in one commit. `type` is the part after `orchestration.`. */
export interface Change {
  label: string;
  set?: Partial<OrchestrationRow>;
  /** Columns whose new value the database works out from the present one. */
  computed?: Partial<Record<keyof OrchestrationRow, SQL>>;
  from?: readonly OrchestrationStatus[];
  /** Further conditions that the row must meet. */
  when?: SQL[];
  event?: { type: string; actor: Actor; data?: Record<string, unknown> };
}

/** The rows of orchestrations and plans; every change is a compare-and-set. */
export class OrchestrationStore {
  constructor(
    private readonly databases: WorkspaceDatabases,
    private readonly clock: Clock,
  ) {}

  /** @throws Fault not_found */
  async get(workspaceId: string, id: string): Promise<OrchestrationRow> {
    const row = await this.find(workspaceId, id);
    if (row) return row;
    throw new Fault('not_found', `There is no orchestration ${JSON.stringify(id)} in this workspace.`);
  }

  async find(workspaceId: string, id: string): Promise<OrchestrationRow | null> {
    const { orm } = await this.databases.open(workspaceId);
    const [row] = await orm.select().from(orchestrations).where(eq(orchestrations.id, id));
    return row ?? null;
  }

  async list(workspaceId: string, query: ListQuery): Promise<OrchestrationRow[]> {
    const { orm } = await this.databases.open(workspaceId);
    const { kind, status, after } = query;
    const filters = [
      ...(kind ? [eq(orchestrations.kind, kind)] : []),
      ...(status ? [eq(orchestrations.status, status)] : []),
      ...(after ? [lt(orchestrations.id, after)] : []),
    ];
    const rows = orm
      .select()
      .from(orchestrations)
      .where(and(...filters));
    return rows.orderBy(desc(orchestrations.id)).limit(query.limit);
  }

  /** Ids of those for which something may be left to do. */
  async unfinished(workspaceId: string): Promise<string[]> {
    const { orm } = await this.databases.open(workspaceId);
    const rows = await orm
      .select({ id: orchestrations.id })
      .from(orchestrations)
      .where(
        or(
          inArray(orchestrations.status, ['approved', 'executing', 'synthesizing']),
          and(
            eq(orchestrations.status, 'proposed'),
            or(
              gt(orchestrations.revision, orchestrations.publishedRevision),
              isNotNull(orchestrations.changesRequestedRevision),
            ),
          ),
          and(
            eq(orchestrations.kind, 'plan'),
            isNotNull(orchestrations.approvedRevision),
            eq(orchestrations.spaceReturned, false),
          ),
          and(
            inArray(orchestrations.status, ['completed', 'failed', 'cancelled']),
            eq(orchestrations.settled, false),
          ),
        ),
      )
      .orderBy(asc(orchestrations.id));
    return rows.map((row) => row.id);
  }

  /** The orchestration or revision that was made with this key. */
  async findByKey(workspaceId: string, key: string): Promise<OrchestrationRow | null> {
    const { orm } = await this.databases.open(workspaceId);
    const [row] = await orm
      .select({ id: revisions.orchestrationId })
      .from(revisions)
      .where(eq(revisions.key, key));
    return row ? this.find(workspaceId, row.id) : null;
  }

  async insert(workspaceId: string, row: OrchestrationRow, proposal: Proposal): Promise<void> {
    const database = await this.databases.open(workspaceId);
    const { id, kind, key, proposedBy, createdAt, spaceId, conversationId } = row;
    await database.write('orchestration.propose', [
      database.orm.insert(orchestrations).values(row),
      database.orm.insert(revisions).values({
        ...{
          orchestrationId: id,
          revision: 1,
          key,
          author: proposedBy,
          origin: 'proposed',
          proposal,
          createdAt,
        },
      }),
      eventIfChanged({
        ...{ at: createdAt, actor: proposedBy, type: 'orchestration.proposed', subject: id },
        data: { kind, status: 'proposed', revision: 1, spaceId, conversationId },
      }),
    ]);
  }

  /** Whether the row met the conditions and was changed. */
  async change(workspaceId: string, id: string, change: Change): Promise<boolean> {
    const database = await this.databases.open(workspaceId);
    const at = this.clock();
    const conditions = [eq(orchestrations.id, id), ...(change.when ?? [])];
    if (change.from) conditions.push(inArray(orchestrations.status, [...change.from]));
    const update = database.orm
      .update(orchestrations)
      .set({ ...change.set, ...change.computed, updatedAt: at, version: sql`${orchestrations.version} + 1` })
      .where(and(...conditions));
    const { event } = change;
    const told = event && {
      ...{ at, actor: event.actor, type: `orchestration.${event.type}`, subject: id },
      data: { ...(change.set?.status ? { status: change.set.status } : {}), ...event.data },
    };
    const [changed] = await database.write(change.label, [update, ...(told ? [eventIfChanged(told)] : [])]);
    return changed?.rowsAffected === 1;
  }

  async scaffoldItems(workspaceId: string, id: string): Promise<Map<string, string>> {
    const database = await this.databases.open(workspaceId);
    const rows = await database.read({
      sql: 'SELECT item, entityId FROM scaffoldItems WHERE orchestrationId = ?',
      args: [id],
    });
    return new Map(rows.map((row) => [String(row.item), String(row.entityId)]));
  }

  /** Records what was made for each item, so that it is not asked for again. */
  async recordItems(workspaceId: string, id: string, made: ReadonlyMap<string, string>): Promise<void> {
    if (made.size === 0) return;
    const database = await this.databases.open(workspaceId);
    const sql =
      'INSERT INTO scaffoldItems (orchestrationId, item, entityId) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
    await database.write(
      'orchestration.scaffold',
      [...made].map(([item, entityId]) => ({ sql, args: [id, item, entityId] })),
    );
  }
}

/** Conditions for `Change.when`. */
export const atRevision = (revision: number): SQL => eq(orchestrations.revision, revision);
export const atBudget = (capMicros: number): SQL => eq(orchestrations.budgetMicros, capMicros);
export const without = (column: 'pipelineRunId' | 'budgetApprovalId' | 'changesRequestedRevision'): SQL =>
  isNull(orchestrations[column]);
export const failedWith = (code: string): SQL => eq(orchestrations.failureCode, code);
/** Every one of the sub-tickets is deferred. */
export const deferring = (keys: readonly string[]): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(keys)}) k
    WHERE k.value NOT IN (SELECT d.value FROM json_each(${orchestrations.deferred}) d))`;

/** Values for `Change.computed`. */
export const noLongerDeferred = (keys: readonly string[]): SQL =>
  sql`(SELECT json_group_array(d.value) FROM json_each(${orchestrations.deferred}) d
    WHERE d.value NOT IN (SELECT k.value FROM json_each(${JSON.stringify(keys)}) k))`;
export const leavingOut = (key: string): SQL => sql`json_insert(${orchestrations.leftOut}, '$[#]', ${key})`;
