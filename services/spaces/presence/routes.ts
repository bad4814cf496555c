import * as z from 'zod';
import { actorId, isPerson } from '../../kit/actor.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { HEARTBEAT_MS, SSE_HEADERS, sseFrame, sseStream } from '../../kit/sse-stream.ts';
import { validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { Line } from '../fields.ts';
import type { Presence } from './presence.ts';
import type { PresenceHub, PresenceNews } from './presence-hub.ts';

const StreamQuery = z.object({
  /** What whoever opens this looks at for as long as it is open. */
  focus: Line.max(200).optional(),
});

/** @param stopping ends every open stream */
export function presenceRoutes(
  deps: SpacesDeps,
  presence: Presence,
  hub: PresenceHub,
  stopping: AbortSignal,
  heartbeatMs = HEARTBEAT_MS,
) {
  return serviceRouter()
    .basePath('/api/workspaces/:workspaceId/presence')
    .get('/', async (c) => c.json({ items: await hub.list(c.req.param('workspaceId')), next: null }, 200))
    .get('/stream', validate('query', StreamQuery), async (c) => {
      const [workspaceId, actor] = [c.req.param('workspaceId'), c.get('actor')];
      const { focus } = c.req.valid('query');
      await deps.databases.open(workspaceId);
      const gone = new AbortController();
      const signal = AbortSignal.any([stopping, gone.signal, c.req.raw.signal]);
      // Who follows this is here as well, but need not see what is to be decided.
      const onRead = () => {
        if (!isPerson(actor) || signal.aborted) return;
        const leave = presence.connect(workspaceId, { memberId: actorId(actor), decides: false, focus });
        signal.addEventListener('abort', leave, { once: true });
      };
      const frames = sseStream(framesOf(hub.follow(workspaceId, signal)), {
        ...{ heartbeatMs, onRead, onClose: () => gone.abort() },
      });
      return c.body(frames, 200, SSE_HEADERS);
    });
}

async function* framesOf(news: AsyncGenerator<PresenceNews>): AsyncGenerator<string> {
  for await (const { type, data } of news) yield sseFrame(type, data);
}
