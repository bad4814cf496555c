import { asc, eq, isNull } from 'drizzle-orm';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import { type PlanRow, plans } from './schema.ts';

/** Plan documents; they are only added to. */
export class PlanStore {
  constructor(private readonly databases: WorkspaceDatabases) {}

  async find(workspaceId: string, id: string): Promise<PlanRow | null> {
    const { orm } = await this.databases.open(workspaceId);
    const [row] = await orm.select().from(plans).where(eq(plans.id, id));
    return row ?? null;
  }

  async findByKey(workspaceId: string, key: string): Promise<PlanRow | null> {
    const { orm } = await this.databases.open(workspaceId);
    const [row] = await orm.select().from(plans).where(eq(plans.key, key));
    return row ?? null;
  }

  /** Ids of those whose card is not posted yet. */
  async unposted(workspaceId: string): Promise<string[]> {
    const { orm } = await this.databases.open(workspaceId);
    const rows = orm.select({ id: plans.id }).from(plans).where(isNull(plans.messageId));
    return (await rows.orderBy(asc(plans.id))).map((row) => row.id);
  }

  async insert(workspaceId: string, row: PlanRow): Promise<void> {
    const database = await this.databases.open(workspaceId);
    await database.write('plan.create', [
      database.orm.insert(plans).values(row),
      eventIfChanged({
        ...{ at: row.createdAt, actor: row.proposedBy, type: 'plan.submitted', subject: row.id },
        data: { spaceId: row.spaceId, conversationId: row.conversationId, nodes: row.nodes.length },
      }),
    ]);
  }

  async recordCard(workspaceId: string, id: string, messageId: string): Promise<void> {
    const database = await this.databases.open(workspaceId);
    await database.write('plan.card', [
      database.orm.update(plans).set({ messageId }).where(eq(plans.id, id)),
    ]);
  }
}
