import { serviceRouter } from '../../kit/service-app.ts';
import { HEARTBEAT_MS, SSE_HEADERS, sseFrame, sseStream } from '../../kit/sse-stream.ts';
import type { RunsDeps } from '../deps.ts';
import { followRun, type RunStreamItem } from '../dispatch/follow-run.ts';
import type { LiveStreams } from '../dispatch/live-streams.ts';
import { findRow } from './store.ts';

/** What one run says and does this moment as server-sent events; ends when the run leaves its loop. */
export function streamRoutes(deps: RunsDeps, streams: LiveStreams, heartbeatMs = HEARTBEAT_MS) {
  return serviceRouter().get('/api/workspaces/:workspaceId/runs/:id/stream', async (c) => {
    const database = await deps.databases.open(c.req.param('workspaceId'));
    const { id } = await findRow(database, c.req.param('id'));
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, c.req.raw.signal]);
    const frames = framesOf(followRun(database, streams, id, signal));
    return c.body(sseStream(frames, { heartbeatMs, onClose: () => gone.abort() }), 200, SSE_HEADERS);
  });
}

async function* framesOf(items: AsyncGenerator<RunStreamItem>): AsyncGenerator<string> {
  for await (const item of items) yield sseFrame(item.type, item);
}
