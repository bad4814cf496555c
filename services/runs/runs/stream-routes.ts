import { streamSSE } from 'hono/streaming';
import { serviceRouter } from '../../kit/service-app.ts';
import type { RunsDeps } from '../deps.ts';
import type { LiveItem, LiveStreams } from '../dispatch/live-streams.ts';
import { findRow } from './store.ts';

const HEARTBEAT_MS = 10_000;
/** A reader this far behind is cut off, so that it cannot hold the server's memory. */
const MAX_BACKLOG = 10_000;

/** Live deltas of one run as server-sent events; ends when the run leaves its loop. */
export function streamRoutes(deps: RunsDeps, streams: LiveStreams) {
  return serviceRouter().get('/api/workspaces/:workspaceId/runs/:id/stream', async (c) => {
    const database = await deps.databases.open(c.req.param('workspaceId'));
    const id = c.req.param('id');
    await findRow(database, id);
    return streamSSE(c, async (stream) => {
      const backlog: LiveItem[] = [];
      let wake: () => void = () => undefined;
      const unsubscribe = streams.subscribe(id, (item) => {
        backlog.push(item);
        wake();
      });
      stream.onAbort(() => wake());
      const { phase } = await findRow(database, id);
      if (phase !== 'live' && phase !== 'queued') backlog.push({ type: 'left' });
      try {
        // Headers go with the first bytes, and a model may think for long before it says something.
        await stream.write(': open\n\n');
        while (!stream.aborted && backlog.length <= MAX_BACKLOG) {
          const item = backlog.shift();
          if (item) await stream.writeSSE({ event: item.type, data: JSON.stringify(item) });
          else if (!(await woken((resolve) => (wake = resolve)))) await stream.write(': heartbeat\n\n');
          if (item?.type === 'left') return;
        }
      } finally {
        unsubscribe();
      }
    });
  });
}

/** True when woken, false when it is time for a heartbeat. */
async function woken(register: (resolve: () => void) => void): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  register(() => resolve(true));
  const timer = setTimeout(() => resolve(false), HEARTBEAT_MS);
  return promise.finally(() => clearTimeout(timer));
}
