import { createEdge } from '../kit/edge.ts';
import { Fault } from '../kit/fault.ts';
import { silentLog } from '../kit/log.ts';
import { problemResponse } from '../kit/problem.ts';
import { SSE_HEADERS, sseFrame, sseStream } from '../kit/sse-stream.ts';
import { type Connection, Live, type LiveTimes } from './live.ts';

export const EVENTS = '/api/workspaces/ws_1/events?follow=1';
const NEVER: LiveTimes = { pingMs: 1e6, silentMs: 1e6, judgeMs: 1e6, unjudgedMs: 1e6 };

/** A server whose only stream counts from `Last-Event-ID` on, as fast as it is read, up to `last`. */
export function startCounter(times: Partial<LiveTimes> = {}) {
  const facts = {
    ...{ last: 3, padding: '', produced: 0, open: 0, seen: [] as Request[] },
    ...{ member: 'person:mem_1' as const, isKnown: true, isViewer: false, isAway: false, judged: 0 },
  };
  const handle = (request: Request) => {
    facts.seen.push(request);
    if (request.url.includes('gone'))
      return problemResponse(new Fault('not_found', 'There is none.'), silentLog);
    facts.open++;
    const onClose = () => facts.open--;
    return new Response(sseStream(count(request), { heartbeatMs: 1_000, onClose: once(onClose) }), {
      headers: SSE_HEADERS,
    });
  };
  async function* count(request: Request) {
    const from = Number(request.headers.get('last-event-id') ?? 0);
    for (let n = from + 1; n <= facts.last && !request.signal.aborted; n++) {
      facts.produced++;
      yield sseFrame('counted', { n, padding: facts.padding }, n);
    }
    if (request.url.includes('stay=1'))
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
  }
  const hosts: string[] = [];
  const wall = {
    hosts: () => hosts,
    bearerOf: async () => {
      facts.judged++;
      if (facts.isAway) throw new Fault('unavailable', 'away');
      if (!facts.isKnown) return null;
      return { actor: facts.member, headers: facts.isViewer ? { 'x-control-center-viewer': '1' } : {} };
    },
    ...{ serviceToken: null, log: silentLog },
  };
  const live = new Live({
    edge: (inner) => createEdge({ ...wall, handle: inner }),
    ...{ handle, log: silentLog, times: { ...NEVER, ...times } },
  });
  const server = Bun.serve<Connection>({
    ...{ hostname: '127.0.0.1', port: 0, idleTimeout: 0, websocket: live.websocket },
    fetch: (request, self) => live.upgrade(request, self),
  });
  hosts.push(`127.0.0.1:${server.port}`);
  return { facts, live, server, url: `http://127.0.0.1:${server.port}` };
}

function once(call: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) call();
    isDone = true;
  };
}
