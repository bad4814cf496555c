import type { Server, ServerWebSocket, WebSocketHandler } from 'bun';
import { Fault } from '../kit/fault.ts';
import type { Log } from '../kit/log.ts';
import { problemResponse } from '../kit/problem.ts';
import { admit, type Edge, type Handler, type Identity, isSame } from './admission.ts';
import { LiveSocket } from './live-socket.ts';
import { openStream } from './open-stream.ts';
import { MOST_CLIENT_FRAME_BYTES } from './protocol.ts';

export const LIVE_PATH = '/api/live';

/** Close codes: the server ends; whoever sits there may not look on, or not as before; nobody answers. */
export const GOING_AWAY = 1001;
export const RIGHTS_CHANGED = 4401;
export const SILENT = 4408;

const TICK_MS = 1_000;

/** One client as the server knows it; times of the process's own clock. */
export interface Connection {
  identity: Identity;
  /** What it came with, to be judged again. */
  opening: { url: string; headers: Headers };
  socket: LiveSocket | null;
  heardAt: number;
  pingedAt: number;
  judgedAt: number;
  isJudged: boolean;
}

type Client = ServerWebSocket<Connection>;

export interface LiveTimes {
  /** Between two pings. */
  pingMs: number;
  /** A client that says nothing for so long is gone. */
  silentMs: number;
  /** Between two looks at whether whoever sits there still may. */
  judgeMs: number;
  /** So long a connection stays while that cannot be found out. */
  unjudgedMs: number;
}

const TIMES: LiveTimes = { pingMs: 15_000, silentMs: 45_000, judgeMs: 4_000, unjudgedMs: 60_000 };

export interface LiveOptions {
  /** The edge, around whatever it is given. */
  edge: Edge<Server<Connection>>;
  /** Answers a request that passed the edge. */
  handle: Handler;
  log: Log;
  times?: LiveTimes;
}

/** The event streams of the HTTP API over one WebSocket a client. */
export class Live {
  readonly #clients = new Set<Client>();
  readonly #times: LiveTimes;
  readonly #ticking: ReturnType<typeof setInterval>;
  #server: Server<Connection> | null = null;
  #isStopped = false;

  constructor(private readonly options: LiveOptions) {
    this.#times = options.times ?? TIMES;
    this.#ticking = setInterval(() => this.#tick(), Math.min(TICK_MS, ...Object.values(this.#times)));
    this.#ticking.unref();
  }

  /** Undefined once the request has become a connection. */
  async upgrade(request: Request, server: Server<Connection>): Promise<Response | undefined> {
    this.#server = server;
    const { identity, answer } = await admit(this.options.edge, request, server);
    if (identity === null) return answer;
    if (this.#isStopped) return this.#refused(new Fault('unavailable', 'This server is about to end.'));
    const now = performance.now();
    const opening = { url: request.url, headers: new Headers(request.headers) };
    const data = {
      ...{ identity, opening, socket: null, isJudged: false },
      ...{ heardAt: now, pingedAt: now, judgedAt: now },
    };
    if (server.upgrade(request, { data })) return undefined;
    return this.#refused(new Fault('invalid_request', `${LIVE_PATH} is opened as a WebSocket, with GET.`));
  }

  /** What the server calls of its connections. */
  readonly websocket: WebSocketHandler<Connection> = {
    maxPayloadLength: MOST_CLIENT_FRAME_BYTES,
    // Pings of the protocol are answered by a browser whose page hangs; those of ours are not.
    ...{ idleTimeout: 0, sendPings: false },
    open: (client) => this.#enter(client),
    message: ({ data }, message) => {
      data.heardAt = performance.now();
      data.socket?.take(message);
    },
    drain: ({ data }) => data.socket?.drained(),
    close: (client) => {
      this.#clients.delete(client);
      client.data.socket?.closed();
    },
  };

  /** Connections that are open now. */
  get size(): number {
    return this.#clients.size;
  }

  /** Says goodbye to everybody and takes nobody more. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#ticking);
    for (const client of this.#clients) client.close(GOING_AWAY, 'the server ends');
  }

  #enter(client: Client): void {
    const { handle, log } = this.options;
    const { identity } = client.data;
    const wire = {
      send: (text: string) => void client.send(text),
      bufferedBytes: () => client.getBufferedAmount(),
      close: (code: number, reason: string) => client.close(code, reason),
    };
    client.data.socket = new LiveSocket(
      wire,
      (wish, signal) => openStream(handle, identity, wish, signal),
      log,
    );
    this.#clients.add(client);
    if (this.#isStopped) client.close(GOING_AWAY, 'the server ends');
  }

  #tick(): void {
    const now = performance.now();
    const { pingMs, silentMs, judgeMs, unjudgedMs } = this.#times;
    for (const client of this.#clients) {
      const { data } = client;
      if (now - data.heardAt > silentMs) client.close(SILENT, 'nobody answers');
      else if (now - data.judgedAt > unjudgedMs) client.close(RIGHTS_CHANGED, 'nobody can say who this is');
      else if (now - data.judgedAt >= judgeMs && !data.isJudged) void this.#judge(client);
      if (now - data.pingedAt < pingMs) continue;
      data.pingedAt = now;
      data.socket?.ping();
    }
  }

  /** Whoever signed out, or may do more or less than when this was opened, comes again as who it is now. */
  async #judge(client: Client): Promise<void> {
    const { data } = client;
    data.isJudged = true;
    try {
      const { url, headers } = data.opening;
      const now = performance.now();
      const server = this.#server as Server<Connection>;
      const { identity, answer } = await admit(this.options.edge, new Request(url, { headers }), server);
      if (identity !== null && isSame(identity, data.identity)) data.judgedAt = now;
      else if (identity !== null || answer.status === 401 || answer.status === 403)
        client.close(RIGHTS_CHANGED, 'signed out, or with other rights');
    } finally {
      data.isJudged = false;
    }
  }

  #refused(fault: Fault): Response {
    return problemResponse(fault, this.options.log);
  }
}
