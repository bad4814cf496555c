import * as z from 'zod';
import { actorId, isPerson } from '../../kit/actor.ts';
import { followEvents, readEvents, type WorkspaceEvent } from '../../kit/database/event-log.ts';
import { serviceRouter } from '../../kit/service-app.ts';
import { HEARTBEAT_MS, SSE_HEADERS, sseFrame, sseStream } from '../../kit/sse-stream.ts';
import { invalidRequest, validate } from '../../kit/validate.ts';
import type { SpacesDeps } from '../deps.ts';
import { isOperator } from '../members/role.ts';
import type { Presence } from '../presence/presence.ts';

const Seq = z.coerce.number('must be a sequence number').int().min(0);
const EventQuery = z.object({
  after: Seq.default(0),
  follow: z.enum(['0', '1']).default('0'),
  /** `0`: whoever reads this decides nothing, however long it stays. */
  attending: z.enum(['0', '1']).default('1'),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
});

/** @param stopping ends every open stream */
export function eventRoutes(
  deps: SpacesDeps,
  presence: Presence,
  stopping: AbortSignal,
  heartbeatMs = HEARTBEAT_MS,
) {
  const open = (workspaceId: string) => () => deps.databases.open(workspaceId);
  return serviceRouter().get(
    '/api/workspaces/:workspaceId/events',
    validate('query', EventQuery),
    async (c) => {
      const workspaceId = c.req.param('workspaceId');
      const { follow, attending, limit, after } = c.req.valid('query');
      const afterSeq = resumedFrom(c.req.header('last-event-id')) ?? after;
      const database = await deps.databases.open(workspaceId);
      if (follow === '0') {
        const items = await readEvents(database, afterSeq, limit);
        const next = items.length === limit ? String(items.at(-1)?.seq) : null;
        return c.json({ items, next }, 200);
      }
      const actor = c.get('actor');
      const decides = attending === '1' && (await isOperator(deps.control, actor));
      const gone = new AbortController();
      const signal = AbortSignal.any([stopping, gone.signal, c.req.raw.signal]);
      const onRead = () => {
        if (!isPerson(actor) || signal.aborted) return;
        const leave = presence.connect(workspaceId, { memberId: actorId(actor), decides });
        signal.addEventListener('abort', leave, { once: true });
      };
      const events = followEvents(open(workspaceId), deps.databases.wakes, workspaceId, afterSeq, signal);
      const frames = sseStream(framesOf(events), { heartbeatMs, onRead, onClose: () => gone.abort() });
      return c.body(frames, 200, SSE_HEADERS);
    },
  );
}

/** `id` is the sequence number, `event` the type, `data` the whole event. */
async function* framesOf(events: AsyncGenerator<WorkspaceEvent>): AsyncGenerator<string> {
  for await (const event of events) yield sseFrame(event.type, event, event.seq);
}

// A browser's EventSource sends the header when it comes back; it is no part of the typed call.
function resumedFrom(header: string | undefined): number | null {
  if (header === undefined || header === '') return null;
  const parsed = Seq.safeParse(header);
  if (parsed.success) return parsed.data;
  throw invalidRequest('header', [{ path: ['Last-Event-ID'], message: 'must be a sequence number' }]);
}
