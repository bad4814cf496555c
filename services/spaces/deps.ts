import type { Actor } from '../kit/actor.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/database/database.ts';
import type { WorkspaceDatabases } from '../kit/database/workspace-databases.ts';
import type { Log } from '../kit/log.ts';
import type { ListModels } from './agents/model-choice.ts';
import type { ActivitiesPort } from './presence/activities-port.ts';
import type { PullRequestHost } from './reviews/pull-request-host.ts';

/**
 * Looks at a repository on the host of its files; `path` comes back resolved.
 * @throws Fault not_a_repository
 */
type InspectRepository = (
  workspaceId: string,
  path: string,
  actor: Actor,
) => Promise<{ path: string; defaultBranch: string; head: string }>;

export interface SpacesDeps {
  /** Workspaces, members and tokens; nothing else is outside a workspace's own database. */
  control: Database;
  databases: WorkspaceDatabases;
  /** Holds `workspaces/<id>/agents/<name>/` and `owner-token`. */
  dataDir: string;
  inspectRepository: InspectRepository;
  listModels: ListModels;
  activities: ActivitiesPort;
  pullRequests: PullRequestHost;
  /** What the provider signs its deliveries with; without one nothing is delivered. */
  webhookSecret: string | null;
  log: Log;
  clock: Clock;
  /** Called around effects outside a database, as Database does around commits. */
  onPoint?: ((name: string) => void) | undefined;
}
