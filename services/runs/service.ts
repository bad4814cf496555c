import { Hono } from 'hono';
import type { ServiceEnv } from '../kit/service-app.ts';
import { withFaults } from '../kit/service-app.ts';
import { ActivityBoard } from './activity/activity-board.ts';
import { activityRoutes } from './activity/routes.ts';
import { budgetRoutes } from './budgets/routes.ts';
import { checkpointRoutes } from './checkpoints/routes.ts';
import { Undoing } from './checkpoints/undoing.ts';
import type { RunsDeps } from './deps.ts';
import { Executor } from './dispatch/executor.ts';
import { Listener } from './dispatch/listener.ts';
import { LiveStreams } from './dispatch/live-streams.ts';
import { RunControl } from './dispatch/run-control.ts';
import { Takeovers } from './dispatch/takeover.ts';
import { policyRoutes } from './guard/routes.ts';
import { historyRoutes } from './histories/routes.ts';
import { honestyRoutes } from './honesty/routes.ts';
import { hostRoutes } from './host/routes.ts';
import { createMcp, type Mcp } from './mcp/mcp.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { pageRoutes } from './pages/routes.ts';
import { runRoutes } from './runs/routes.ts';
import { streamRoutes } from './runs/stream-routes.ts';
import { treeRoutes } from './runs/tree-routes.ts';
import { standingRoutes } from './standings/routes.ts';
import { worktreeRoutes } from './worktrees/routes.ts';

interface Workings {
  executor: Executor;
  control: RunControl;
  takeovers: Takeovers;
  streams: LiveStreams;
  board: ActivityBoard;
  mcp: Mcp;
  undoing: Undoing;
}

function routesOf(deps: RunsDeps, { executor, control, takeovers, streams, board, mcp, undoing }: Workings) {
  return (
    new Hono<ServiceEnv>()
      .route('/', activityRoutes(deps, board))
      // Before the runs: none is called `trees`, `standings` or `spendings`.
      .route('/', treeRoutes(deps))
      .route('/', standingRoutes(deps))
      .route('/', runRoutes(deps, executor, control, takeovers))
      .route('/', pageRoutes(deps))
      .route('/', checkpointRoutes(deps, undoing))
      .route('/', streamRoutes(deps, streams))
      .route('/', budgetRoutes(deps, executor))
      .route('/', historyRoutes(deps))
      .route('/', worktreeRoutes(deps))
      .route('/', hostRoutes(deps))
      .route('/', policyRoutes(deps))
      .route('/', honestyRoutes(deps))
      .route('/', mcpRoutes(deps, mcp))
  );
}

export type RunsApp = ReturnType<typeof routesOf>;

export interface RunsService {
  app: RunsApp;
  /** Takes over every unfinished run and follows what wakes new ones. */
  start(): Promise<void>;
  /** Lets go of live runs without ending them; the next start goes on with them. */
  stop(): Promise<void>;
}

/** The agents' side: runs, their budgets, worktrees and cost. */
export function createRuns(deps: RunsDeps): RunsService {
  const board = new ActivityBoard(deps);
  const streams = new LiveStreams((runId, item) => board.heard(runId, item));
  const executor = new Executor(deps, streams);
  const control = new RunControl(deps, executor);
  const takeovers = new Takeovers(deps, control);
  const listener = new Listener(deps, executor);
  const undoing = new Undoing(deps, (workspaceId) => void executor.pump(workspaceId));
  const mcp = createMcp(deps);
  return {
    app: withFaults(routesOf(deps, { executor, control, takeovers, streams, board, mcp, undoing }), deps.log),
    start: async () => {
      void undoing.finishAll();
      await listener.start();
    },
    stop: async () => {
      board.stop();
      takeovers.stop();
      await listener.stop();
      await mcp.stop();
      await undoing.atRest();
      await executor.stop();
    },
  };
}
