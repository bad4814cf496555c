import type { ConnectionState } from './connection.ts';

/** What a stream tells its reader. */
export interface StreamReader {
  /** It has no end of its own: one that ends or breaks off is opened again, after the last event seen. */
  isEndless?: boolean;
  onMessage(event: string, data: unknown, eventId: string | null): void;
  onEnd?(): void;
  onProblem?(problem: { code: string; status: number; detail: string }): void;
  /** The connection is back and the stream begins anew; what it tells by snapshots has to be forgotten. */
  onReopen?(): void;
}

interface OpenStream {
  path: string;
  reader: StreamReader;
  lastEventId: string | null;
}

interface Frame {
  id?: number;
  op?: 'ping';
  event?: string;
  data?: unknown;
  eventId?: string;
  end?: boolean;
  problem?: { code: string; status: number; detail: string };
}

/** Closed because the session is over, or the person's rights are others now. */
const RIGHTS_CHANGED = 4401;
/** No code of the other side: it was not heard. */
const GONE = 1006;
const AGAIN_MS = 1_000;
const SERVER_FAILS = 500;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** The server pings every 15 s: a connection that is silent for so long is dead, whatever the browser thinks. */
const SILENCE_MS = 35_000;
const MISSED_PING_MS = 20_000;

/** One WebSocket for all streams of a tab. Comes back by itself; streams with event ids go on after the last one seen. */
export class LiveSocket {
  readonly #streams = new Map<number, OpenStream>();
  #socket: WebSocket | null = null;
  #nextId = 1;
  #failures = 0;
  #heardAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly url: string,
    private readonly onState: (state: ConnectionState) => void,
  ) {}

  /** Reads the stream at an API path until the returned function is called. */
  open(path: string, reader: StreamReader): () => void {
    const id = this.#nextId++;
    this.#streams.set(id, { path, reader, lastEventId: null });
    if (this.#socket === null && this.#timer === undefined) this.#connect();
    else this.#ask(id);
    return () => {
      if (this.#streams.delete(id)) this.#send({ op: 'close', id });
    };
  }

  /** Tries at once instead of after the rest of the wait: the network came back, or the person asked. */
  retry(): void {
    if (this.#socket !== null) return;
    clearTimeout(this.#timer);
    this.#connect();
  }

  /** The page was asleep or without a network: a connection that has missed a ping meanwhile is not waited for. */
  wake(): void {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN && Date.now() - this.#heardAt > MISSED_PING_MS) {
      this.#socket = null;
      socket.close();
      this.#lost(GONE);
    }
    this.retry();
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#streams.clear();
    this.#socket?.close();
    this.#socket = null;
  }

  #connect(): void {
    this.#timer = undefined;
    // Nobody reads: nobody is signed in, say. The next stream connects.
    if (this.#streams.size === 0) return;
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onopen = () => {
      this.onState('open');
      for (const [id, { reader }] of this.#streams) {
        if (this.#failures > 0) reader.onReopen?.();
        this.#ask(id);
      }
      this.#failures = 0;
      this.#heard();
    };
    socket.onmessage = ({ data }) => {
      if (this.#socket === socket) this.#take(JSON.parse(String(data)) as Frame);
    };
    socket.onclose = ({ code }) => {
      if (this.#socket === socket) this.#lost(code);
    };
  }

  #lost(code: number): void {
    this.#socket = null;
    clearTimeout(this.#silence);
    this.#failures++;
    this.onState(code === RIGHTS_CHANGED ? 'signedOut' : 'reconnecting');
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1));
    this.#timer = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  #heard(): void {
    this.#heardAt = Date.now();
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.wake(), SILENCE_MS);
  }

  #ask(id: number): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    const { path, lastEventId } = stream;
    this.#send({ op: 'open', id, path, ...(lastEventId !== null && { lastEventId }) });
  }

  #send(frame: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #take(frame: Frame): void {
    this.#heard();
    if (frame.op === 'ping') {
      this.#send({ op: 'pong' });
      return;
    }
    const stream = this.#streams.get(frame.id ?? 0);
    // What was on its way when the stream was closed.
    if (!stream) return;
    if (frame.problem || frame.end) {
      this.#ended(frame.id ?? 0, stream, frame.problem);
      return;
    }
    if (frame.eventId !== undefined) stream.lastEventId = frame.eventId;
    stream.reader.onMessage(frame.event ?? 'message', frame.data, frame.eventId ?? null);
  }

  #ended(id: number, stream: OpenStream, problem: Frame['problem']): void {
    this.#streams.delete(id);
    // A server that is away for a moment refuses, too; what it will never allow is not asked for again.
    const isOver = problem ? problem.status < SERVER_FAILS : !stream.reader.isEndless;
    if (!isOver && stream.reader.isEndless) {
      this.#streams.set(id, stream);
      const socket = this.#socket;
      // A connection made meanwhile has asked for all of them by itself; asking twice would end the stream for good.
      setTimeout(() => this.#socket === socket && this.#reopen(id, stream), AGAIN_MS);
    } else if (problem) stream.reader.onProblem?.(problem);
    else stream.reader.onEnd?.();
  }

  #reopen(id: number, stream: OpenStream): void {
    if (!this.#streams.has(id)) return;
    stream.reader.onReopen?.();
    this.#ask(id);
  }
}
