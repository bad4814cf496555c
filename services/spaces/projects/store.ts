import { asc, eq, gt } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { Paging } from '../fields.ts';
import { PROJECT_COLUMNS, type Project, projects } from './schema.ts';

export async function findProject(database: Database, id: string): Promise<Project | null> {
  const rows = await database.orm.select(PROJECT_COLUMNS).from(projects).where(eq(projects.id, id));
  return rows[0] ?? null;
}

export function listProjects(database: Database, paging: Paging): Promise<Project[]> {
  return database.orm
    .select(PROJECT_COLUMNS)
    .from(projects)
    .where(gt(projects.id, paging.after ?? ''))
    .orderBy(asc(projects.id))
    .limit(paging.limit + 1);
}

export async function insertProject(
  database: Database,
  project: Project,
  key: string | null,
  actor: Actor,
): Promise<Project> {
  await database.write('project.create', [
    database.orm
      .insert(projects)
      .values({ ...project, key })
      .onConflictDoNothing({ target: projects.key }),
    eventIfChanged({
      at: project.createdAt,
      actor,
      type: 'project.created',
      subject: project.id,
      data: { name: project.name },
    }),
  ]);
  if (key === null) return project;
  const rows = await database.orm.select(PROJECT_COLUMNS).from(projects).where(eq(projects.key, key));
  return rows[0] ?? project;
}
