import { Hono } from 'hono';
import type { ServiceEnv } from '../kit/service-app.ts';
import { withFaults } from '../kit/service-app.ts';
import { budgetRoutes } from './budgets/routes.ts';
import type { RunsDeps } from './deps.ts';
import { Executor } from './dispatch/executor.ts';
import { Listener } from './dispatch/listener.ts';
import { LiveStreams } from './dispatch/live-streams.ts';
import { policyRoutes } from './guard/routes.ts';
import { historyRoutes } from './histories/routes.ts';
import { honestyRoutes } from './honesty/routes.ts';
import { hostRoutes } from './host/routes.ts';
import { createMcp, type Mcp } from './mcp/mcp.ts';
import { mcpRoutes } from './mcp/routes.ts';
import { runRoutes } from './runs/routes.ts';
import { streamRoutes } from './runs/stream-routes.ts';
import { worktreeRoutes } from './worktrees/routes.ts';

function routesOf(deps: RunsDeps, executor: Executor, streams: LiveStreams, mcp: Mcp) {
  return new Hono<ServiceEnv>()
    .route('/', runRoutes(deps, executor))
    .route('/', streamRoutes(deps, streams))
    .route('/', budgetRoutes(deps))
    .route('/', historyRoutes(deps))
    .route('/', worktreeRoutes(deps))
    .route('/', hostRoutes(deps))
    .route('/', policyRoutes(deps))
    .route('/', honestyRoutes(deps))
    .route('/', mcpRoutes(deps, mcp));
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
  const streams = new LiveStreams();
  const executor = new Executor(deps, streams);
  const listener = new Listener(deps, executor);
  const mcp = createMcp(deps);
  return {
    app: withFaults(routesOf(deps, executor, streams, mcp), deps.log),
    start: () => listener.start(),
    stop: async () => {
      await listener.stop();
      await mcp.stop();
      await executor.stop();
    },
  };
}
