import { serviceRouter } from '../../kit/service-app.ts';
import { HEARTBEAT_MS, SSE_HEADERS, sseFrame, sseStream } from '../../kit/sse-stream.ts';
import type { RunsDeps } from '../deps.ts';
import type { AgentActivity } from './activity.ts';
import type { ActivityBoard } from './activity-board.ts';
import { type LiveState, liveStateOf } from './live-state.ts';
import { type LatestRun, latestRuns } from './store.ts';

/** How agents stand, derived from their runs at each read, and what they are about this moment. */
export function activityRoutes(deps: RunsDeps, board: ActivityBoard, heartbeatMs = HEARTBEAT_MS) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId')
    .get('/live-states', async (c) =>
      c.json({ items: await liveStates(deps, c.req.param('workspaceId')), next: null }, 200),
    )
    .get('/activities', async (c) =>
      c.json({ items: await board.read(c.req.param('workspaceId')), next: null }, 200),
    )
    .get('/activities/stream', async (c) => {
      const workspaceId = c.req.param('workspaceId');
      await deps.databases.open(workspaceId);
      const gone = new AbortController();
      const signal = AbortSignal.any([gone.signal, c.req.raw.signal]);
      const frames = framesOf(board.follow(workspaceId, signal));
      const stream = sseStream(frames, { heartbeatMs, onClose: () => gone.abort() });
      return c.body(stream, 200, SSE_HEADERS);
    });
}

type RunFacts = Omit<LatestRun, 'id' | 'at'>;

/** How an agent stands, and where the run is that says so and what ails it; null of an agent that has run nothing. */
type AgentState = { [Fact in keyof RunFacts]: RunFacts[Fact] | null } & {
  agentId: string;
  name: string;
  title: string;
  state: LiveState;
  runId: string | null;
  /** Since when: the run's end, or its start while it has none. */
  since: number | null;
};

/** Of an agent that has run nothing. */
const NO_RUN = {
  ...{ id: null, at: null, status: null, liveness: null, conversationId: null, spaceId: null },
  ...{ errorFamily: null, summary: null, resumeAt: null, takenOverBy: null },
};

async function liveStates(deps: RunsDeps, workspaceId: string): Promise<AgentState[]> {
  const database = await deps.databases.open(workspaceId);
  const roster = await deps.spaces.agents(workspaceId);
  const ids = roster.map(({ id }) => id);
  const latest = await latestRuns(database, ids);
  return roster.map(({ id: agentId, name, title }) => {
    const run = latest.get(agentId) ?? null;
    const { id: runId, at: since, ...facts } = run ?? NO_RUN;
    return { ...{ agentId, name, title, state: liveStateOf(run) }, runId, since, ...facts };
  });
}

/** Each message holds all activities. */
async function* framesOf(changes: AsyncGenerator<AgentActivity[]>): AsyncGenerator<string> {
  for await (const items of changes) yield sseFrame('activities', { items });
}
