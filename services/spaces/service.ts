import { Hono } from 'hono';
import type { Actor } from '../kit/actor.ts';
import { migrate } from '../kit/database/migrate.ts';
import { type ServiceEnv, withFaults } from '../kit/service-app.ts';
import { createRoster, type Roster } from './agents/roster.ts';
import { agentRoutes } from './agents/routes.ts';
import { approvalRoutes } from './approvals/routes.ts';
import { attachmentRoutes } from './attachments/routes.ts';
import { createSweeper } from './attachments/sweeper.ts';
import { auditRoutes } from './audit/routes.ts';
import { conversationRoutes } from './conversations/routes.ts';
import type { SpacesDeps } from './deps.ts';
import { eventRoutes } from './events/routes.ts';
import { guardrailRoutes } from './guardrails/routes.ts';
import { inboxRoutes } from './inbox/routes.ts';
import { ensureOwner } from './members/owner.ts';
import { memberRoutes } from './members/routes.ts';
import { tokenDigest } from './members/token.ts';
import { findTokenByDigest } from './members/token-store.ts';
import { messageRoutes } from './messages/routes.ts';
import { CONTROL_MIGRATIONS } from './migrations.ts';
import { createPresence, type Presence } from './presence/presence.ts';
import { PresenceHub } from './presence/presence-hub.ts';
import { presenceRoutes } from './presence/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { Publisher } from './reviews/publisher.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { webhookRoutes } from './reviews/webhook-routes.ts';
import { spaceRoutes } from './spaces/routes.ts';
import { teamRoutes } from './teams/routes.ts';
import { ticketRoutes } from './tickets/routes.ts';
import { createFounding, type Founding } from './workspaces/founding.ts';
import { workspaceRoutes } from './workspaces/routes.ts';

interface Workings {
  roster: Roster;
  founding: Founding;
  presence: Presence;
  hub: PresenceHub;
  publisher: Publisher;
  stopping: AbortSignal;
}

function createApp(deps: SpacesDeps, { roster, founding, presence, hub, publisher, stopping }: Workings) {
  return (
    new Hono<ServiceEnv>()
      // Before all others, which answer nobody without an actor.
      .route('/', webhookRoutes(deps, publisher))
      .route('/', memberRoutes(deps))
      .route('/', workspaceRoutes(deps, founding))
      .route('/', agentRoutes(deps, roster))
      .route('/', spaceRoutes(deps))
      .route('/', conversationRoutes(deps))
      .route('/', messageRoutes(deps))
      .route('/', attachmentRoutes(deps))
      .route('/', ticketRoutes(deps))
      .route('/', projectRoutes(deps))
      .route('/', teamRoutes(deps))
      .route('/', approvalRoutes(deps, presence))
      .route('/', guardrailRoutes(deps))
      .route('/', inboxRoutes(deps))
      .route('/', auditRoutes(deps))
      .route('/', reviewRoutes(deps, publisher))
      .route('/', eventRoutes(deps, presence, stopping))
      .route('/', presenceRoutes(deps, presence, hub, stopping))
  );
}

export type SpacesApp = ReturnType<typeof createApp>;

export interface Spaces {
  app: SpacesApp;
  /** Migrates the control database, mends agents' directories, goes on with workspaces left unfinished. */
  start(): Promise<void>;
  /** Ends open event streams and waits for what is being seeded. */
  stop(): Promise<void>;
  /** The actor behind a personal token. */
  actorOfToken(token: string): Promise<Actor | null>;
  /** At the first start makes the owner; `token` is null afterwards. It also stands in `<dataDir>/owner-token`. */
  ensureOwner(): Promise<{ token: string | null }>;
}

/** People's side of Control Center: workspaces, agents, spaces, messages, tickets, approvals and the event log. */
export function createSpaces(deps: SpacesDeps): Spaces {
  const stopping = new AbortController();
  const roster = createRoster(deps);
  const founding = createFounding(deps, roster);
  const presence = createPresence(() => deps.clock());
  const hub = new PresenceHub(deps, presence);
  const publisher = new Publisher(deps);
  const sweeper = createSweeper(deps);
  const workings = { roster, founding, presence, hub, publisher, stopping: stopping.signal };
  const prepare = () => migrate(deps.control, CONTROL_MIGRATIONS);
  return {
    app: withFaults(createApp(deps, workings), deps.log),
    async start() {
      await prepare();
      for (const workspaceId of deps.databases.list()) await mendOrSay(deps, roster, workspaceId);
      await founding.resume();
      publisher.start();
      sweeper.start();
    },
    async stop() {
      stopping.abort();
      await hub.stop();
      await publisher.stop();
      await sweeper.stop();
      await founding.settled();
    },
    async actorOfToken(token) {
      const found = await findTokenByDigest(deps.control, tokenDigest(token));
      return found === null ? null : `person:${found.memberId}`;
    },
    async ensureOwner() {
      await prepare();
      return ensureOwner(deps);
    },
  };
}

// One workspace with a broken disk or database answers with its fault when it is used, and holds up no other.
async function mendOrSay(deps: SpacesDeps, roster: Roster, workspaceId: string): Promise<void> {
  try {
    await roster.mend(workspaceId);
  } catch (error) {
    deps.log.error({ err: error, workspaceId }, "the agents' directories of a workspace could not be mended");
  }
}
