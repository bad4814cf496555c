import { asc, eq, gt } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import type { Paging } from '../fields.ts';
import { WORKSPACE_COLUMNS, type Workspace, workspaces } from './schema.ts';

export async function findWorkspace(control: Database, id: string): Promise<Workspace | null> {
  const rows = await control.orm.select(WORKSPACE_COLUMNS).from(workspaces).where(eq(workspaces.id, id));
  return rows[0] ?? null;
}

async function findWorkspaceByKey(control: Database, key: string): Promise<Workspace | null> {
  const rows = await control.orm.select(WORKSPACE_COLUMNS).from(workspaces).where(eq(workspaces.key, key));
  return rows[0] ?? null;
}

export function listWorkspaces(control: Database, paging: Paging): Promise<Workspace[]> {
  return control.orm
    .select(WORKSPACE_COLUMNS)
    .from(workspaces)
    .where(gt(workspaces.id, paging.after ?? ''))
    .orderBy(asc(workspaces.id))
    .limit(paging.limit + 1);
}

export function unfinishedWorkspaces(control: Database): Promise<Workspace[]> {
  return control.orm.select(WORKSPACE_COLUMNS).from(workspaces).where(eq(workspaces.state, 'creating'));
}

export async function insertWorkspace(
  control: Database,
  workspace: Workspace,
  key: string | null,
  actor: Actor,
): Promise<Workspace> {
  await control.write('workspace.create', [
    control.orm
      .insert(workspaces)
      .values({ ...workspace, key, createdBy: actor })
      .onConflictDoNothing({ target: workspaces.key }),
  ]);
  return (key === null ? null : await findWorkspaceByKey(control, key)) ?? workspace;
}

/**
 * The workspace's first event, in its own database, then the state in the control database. Doing it again adds no
 * second event.
 */
export async function markReady(
  control: Database,
  database: Database,
  workspace: Workspace,
  nowMs: number,
): Promise<void> {
  const data = JSON.stringify({ name: workspace.name });
  await database.write('workspace.ready', [
    {
      sql: `INSERT INTO events (at, actor, type, subject, data) SELECT ?, 'service:spaces', 'workspace.ready', ?, ?
            WHERE NOT EXISTS (SELECT 1 FROM events WHERE type = 'workspace.ready')`,
      args: [nowMs, workspace.id, data],
    },
  ]);
  await control.write('workspace.open', [
    {
      sql: "UPDATE workspaces SET state = 'ready' WHERE id = ? AND state = 'creating'",
      args: [workspace.id],
    },
  ]);
}
