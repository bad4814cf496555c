import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import { Fault } from '../../../services/kit/fault.ts';
import { silentLog } from '../../../services/kit/log.ts';
import { problemResponse } from '../../../services/kit/problem.ts';
import type { OrchestrationDetail } from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Run } from '../../../services/runs/runs/schema.ts';
import type { Approval } from '../client/client.ts';

export const TOKEN = 'a-token-for-tests-only';
export const WORKSPACE = 'ws_0000000000000000000001';
export const SPACE = 'spc_0000000000000000000001';
export const CONVERSATION = 'cnv_0000000000000000000001';
export const MESSAGE = 'msg_0000000000000000000001';
export const LEADER = 'agt_0000000000000000000001';

export interface RecordedWrite {
  method: string;
  path: string;
  key: string | null;
  body: unknown;
}

/** What the server knows; it stays when the server is stopped and started, as a database does. */
export interface FakeState {
  actor: string;
  runs: Run[];
  orchestrations: OrchestrationDetail[];
  approvals: Approval[];
  events: WorkspaceEvent[];
  writes: RecordedWrite[];
  /** The query of every event stream that was opened. */
  streams: URLSearchParams[];
  /** Called for each write before its answer; may change the state, or throw a Fault to be answered. */
  onWrite(write: RecordedWrite, server: FakeServer): void | Promise<void>;
  repositoryPath: string;
  /** Answers by method and path below the workspace, such as `GET /audit`; they come before all else. */
  answers: Record<string, unknown>;
}

export interface FakeServer {
  url: string;
  state: FakeState;
  /** Appends an event and wakes open streams. */
  emit(type: string, subject: string, data?: Record<string, unknown>): void;
  /** Cuts every connection, like a process that is killed. */
  kill(): Promise<void>;
  /** Comes back on the same port. */
  restart(): void;
}

/** A stand-in for the server's API as far as `cctl` uses it, scripted by `onWrite`. */
export function startFakeServer(change: Partial<FakeState> = {}): FakeServer {
  const state: FakeState = {
    actor: 'person:mem_0000000000000000000001',
    runs: [],
    orchestrations: [],
    approvals: [],
    events: [],
    writes: [],
    streams: [],
    onWrite: () => undefined,
    repositoryPath: '/nowhere',
    answers: {},
    ...change,
  };
  const streams = new Set<() => void>();
  const listen = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      idleTimeout: 30,
      fetch: (request) => respond(request, fake, streams),
    });
  let server = listen(0);
  const fake: FakeServer = {
    url: `http://127.0.0.1:${server.port}`,
    state,
    emit(type, subject, data = {}) {
      const seq = state.events.length + 1;
      state.events.push({ seq, at: seq, actor: `agent:${LEADER}`, type, subject, data });
      for (const wake of streams) wake();
    },
    kill: () => server.stop(true),
    restart() {
      server = listen(Number(new URL(fake.url).port));
    },
  };
  return fake;
}

type Streams = Set<() => void>;

async function respond(request: Request, fake: FakeServer, streams: Streams): Promise<Response> {
  try {
    const url = new URL(request.url);
    if (url.pathname === '/healthz') return Response.json({ status: 'ok' });
    if (request.headers.get('authorization') !== `Bearer ${TOKEN}`)
      throw new Fault('unauthenticated', 'No token.');
    if (url.pathname.endsWith('/events')) return events(request, url, fake, streams);
    return Response.json(request.method === 'GET' ? read(url, fake.state) : await write(request, url, fake));
  } catch (error) {
    return problemResponse(error, silentLog);
  }
}

const pathOf = (url: URL) => url.pathname.replace(`/api/workspaces/${WORKSPACE}`, '');
const workspace = { id: WORKSPACE, name: 'default', state: 'ready', createdAt: 1 };
const spaceOf = (state: FakeState) => ({
  id: SPACE,
  name: 'Shop',
  mode: 'chat',
  autonomy: 'actWithApproval',
  whenNobody: 'refuse',
  agents: [LEADER],
  createdAt: 1,
  version: 1,
  mainConversationId: CONVERSATION,
  repositories: [{ name: 'repo', path: state.repositoryPath }],
});
const list = (items: unknown[]) => ({ items, next: null });

function read(url: URL, state: FakeState): unknown {
  const path = pathOf(url);
  const [, noun = '', id] = path.split('/');
  const answer = state.answers[`GET ${path}`];
  if (answer !== undefined) return answer;
  if (noun === 'inbox') return inbox(state);
  if (url.pathname === '/api/me') return { actor: state.actor, member: null };
  if (url.pathname === '/api/workspaces') return list([workspace]);
  if (path === '') return workspace;
  if (noun === 'agents') return list([{ id: LEADER, name: 'ceo', title: 'CEO' }]);
  if (noun === 'spaces') return id === undefined ? list([spaceOf(state)]) : spaceOf(state);
  if (noun === 'conversations') return list([{ id: MESSAGE, author: state.actor, body: 'goal' }]);
  if (path.endsWith('/entries')) return list([]);
  return readRows(url, noun, id, state);
}

function inbox({ approvals, events }: FakeState) {
  const open = approvals.filter(({ status }) => status === 'pending' || status === 'unattended');
  const items = open.map((one) => ({ ...one, agentName: 'ceo', spaceName: 'Shop', ageMs: 60_000 }));
  return { items: items.reverse(), count: items.length, seq: events.length };
}

function readRows(url: URL, noun: string, id: string | undefined, state: FakeState): unknown {
  const nouns = { runs: state.runs, orchestrations: state.orchestrations, approvals: state.approvals };
  const rows: { id: string; status: string }[] | undefined = nouns[noun as keyof typeof nouns];
  if (!rows) throw new Fault('not_found', `There is no ${url.pathname}.`);
  const status = url.searchParams.get('status');
  if (id === undefined) return list(rows.filter((row) => status === null || row.status === status));
  const row = rows.find((one) => one.id === id);
  if (!row) throw new Fault('not_found', `There is no ${id}.`);
  return row;
}

async function write(request: Request, url: URL, fake: FakeServer): Promise<unknown> {
  const text = await request.text();
  const path = pathOf(url);
  const body: unknown = text === '' ? null : JSON.parse(text);
  const { method } = request;
  const recorded = { method, path, key: request.headers.get('idempotency-key'), body };
  fake.state.writes.push(recorded);
  await fake.state.onWrite(recorded, fake);
  const answer = fake.state.answers[`${method} ${path}`];
  if (answer !== undefined) return answer;
  if (url.pathname === '/api/workspaces') return workspace;
  if (path === '/spaces') return spaceOf(fake.state);
  return path.endsWith('/messages') ? { message: { id: MESSAGE }, notices: [] } : {};
}

function events(request: Request, url: URL, { state }: FakeServer, streams: Streams): Response {
  let seq = Number(request.headers.get('last-event-id') ?? url.searchParams.get('after') ?? 0);
  if (url.searchParams.get('follow') !== '1')
    return Response.json(list(state.events.filter((one) => one.seq > seq)));
  state.streams.push(url.searchParams);
  const encoder = new TextEncoder();
  let send = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = () => {
        for (const event of state.events.filter((one) => one.seq > seq)) {
          seq = event.seq;
          controller.enqueue(
            encoder.encode(`id: ${seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
          );
        }
      };
      controller.enqueue(encoder.encode(': open\n\n'));
      streams.add(send);
      send();
    },
    cancel: () => void streams.delete(send),
  });
  request.signal.addEventListener('abort', () => streams.delete(send));
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}
