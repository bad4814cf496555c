import { asc, eq, gt } from 'drizzle-orm';
import type { Actor } from '../../kit/actor.ts';
import type { Database } from '../../kit/database/database.ts';
import { eventIfChanged } from '../../kit/database/event-log.ts';
import type { Paging } from '../fields.ts';
import { TEAM_COLUMNS, type Team, teams } from './schema.ts';

export function listTeams(database: Database, paging: Paging): Promise<Team[]> {
  return database.orm
    .select(TEAM_COLUMNS)
    .from(teams)
    .where(gt(teams.id, paging.after ?? ''))
    .orderBy(asc(teams.id))
    .limit(paging.limit + 1);
}

export async function insertTeam(
  database: Database,
  team: Team,
  key: string | null,
  actor: Actor,
): Promise<Team> {
  await database.write('team.create', [
    database.orm
      .insert(teams)
      .values({ ...team, key })
      .onConflictDoNothing({ target: teams.key }),
    eventIfChanged({
      at: team.createdAt,
      actor,
      type: 'team.created',
      subject: team.id,
      data: { name: team.name, members: team.members, projectId: team.projectId },
    }),
  ]);
  if (key === null) return team;
  const rows = await database.orm.select(TEAM_COLUMNS).from(teams).where(eq(teams.key, key));
  return rows[0] ?? team;
}
