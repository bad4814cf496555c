import { and, asc, eq, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Proposal } from '../../../core-wasm/core.ts';
import type { Clock } from '../../kit/clock.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { WorkspaceDatabases } from '../../kit/database/workspace-databases.ts';
import { Fault } from '../../kit/fault.ts';
import { orchestrations, type RevisionRow, revisions } from './schema.ts';

export type NewRevision = Omit<RevisionRow, 'createdAt'> & {
  baseRevision: number;
  /** Where the row's last revision by an agent must lie before, in epoch milliseconds; null for people. */
  noAgentRevisionAfter: number | null;
};

/** The proposals of orchestrations, revision by revision; they are only added to. */
export class RevisionStore {
  constructor(
    private readonly databases: WorkspaceDatabases,
    private readonly clock: Clock,
  ) {}

  /** Appends a revision after `baseRevision`, if that is still the newest and nothing is decided. */
  async append(workspaceId: string, input: NewRevision): Promise<boolean> {
    const database = await this.databases.open(workspaceId);
    const { baseRevision, noAgentRevisionAfter, ...revision } = input;
    const at = this.clock();
    const { orchestrationId, author, proposal, origin, rolledBackTo } = revision;
    const isByAgent = noAgentRevisionAfter !== null;
    const [changed] = await database.write(
      `orchestration.${origin === 'rolledBack' ? 'rollback' : 'revise'}`,
      [
        database.orm
          .update(orchestrations)
          .set({
            revision: revision.revision,
            ...{ goal: proposal.goal, budgetMicros: proposal.budgetMicros, updatedAt: at },
            ...{ changesRequestedRevision: null, changesRequestedReason: null },
            ...(isByAgent ? { lastAgentRevisionAt: at } : {}),
            version: sql`${orchestrations.version} + 1`,
          })
          .where(
            and(
              ...[eq(orchestrations.id, orchestrationId), eq(orchestrations.status, 'proposed')],
              eq(orchestrations.revision, baseRevision),
              ...(isByAgent ? [mayRevise(noAgentRevisionAfter)] : []),
            ),
          ),
        insertIfChanged({ ...revision, createdAt: at }),
        eventIfChanged({
          ...{ at, actor: author, type: 'orchestration.revised', subject: orchestrationId },
          data: { status: 'proposed', revision: revision.revision, origin, rolledBackTo },
        }),
      ],
    );
    return changed?.rowsAffected === 1;
  }

  /** @throws Fault not_found */
  async get(workspaceId: string, id: string, revision: number): Promise<RevisionRow> {
    const { orm } = await this.databases.open(workspaceId);
    const [row] = await orm
      .select()
      .from(revisions)
      .where(and(eq(revisions.orchestrationId, id), eq(revisions.revision, revision)));
    if (row) return row;
    throw new Fault('not_found', `Orchestration ${id} has no revision ${revision}.`);
  }

  /** @throws Fault not_found */
  async proposal(workspaceId: string, id: string, revision: number): Promise<Proposal> {
    return (await this.get(workspaceId, id, revision)).proposal;
  }

  async list(workspaceId: string, id: string): Promise<RevisionRow[]> {
    const { orm } = await this.databases.open(workspaceId);
    const rows = orm.select().from(revisions).where(eq(revisions.orchestrationId, id));
    return rows.orderBy(asc(revisions.revision));
  }
}

/** The agent's last revision lies long enough ago, or a person asked for the next one. */
function mayRevise(noAgentRevisionAfter: number): SQL {
  const last = orchestrations.lastAgentRevisionAt;
  const isAskedFor = isNotNull(orchestrations.changesRequestedRevision);
  return or(isNull(last), lt(last, noAgentRevisionAfter + 1), isAskedFor) as SQL;
}

function insertIfChanged(row: RevisionRow) {
  return {
    sql: `INSERT INTO revisions (orchestrationId, revision, key, author, origin, rolledBackTo, proposal, createdAt)
      SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE changes() > 0`,
    args: [
      ...[row.orchestrationId, row.revision, row.key, row.author, row.origin, row.rolledBackTo],
      ...[JSON.stringify(row.proposal), row.createdAt],
    ],
  };
}
