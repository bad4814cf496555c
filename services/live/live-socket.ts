import { Fault } from '../kit/fault.ts';
import type { Log } from '../kit/log.ts';
import { faultOf } from '../kit/problem.ts';
import type { SseMessage } from '../kit/read-sse.ts';
import { FrameAllowance, MOST_AT_ONCE, PER_SECOND } from './frame-allowance.ts';
import type { StreamWish } from './open-stream.ts';
import { type LiveClientFrame, type LiveServerFrame, problemOf, readClientFrame } from './protocol.ts';

export const MOST_STREAMS = 64;
/** With more than this under way to a client, its streams are not read on; nothing is lost, since they are pulled. */
export const MOST_BUFFERED_BYTES = 1 << 20;
/** The code with which a client is left that only writes, or writes too much. */
const POLICY = 1008;

/** One connection as it is written to. */
export interface Wire {
  send(text: string): void;
  /** Sent and not yet taken by the other side. */
  bufferedBytes(): number;
  close(code: number, reason: string): void;
}

/** The messages of a stream until it ends or the signal. @throws Fault when it is refused */
export type StreamSource = (wish: StreamWish, signal: AbortSignal) => Promise<AsyncGenerator<SseMessage>>;

/** The streams of one client on its connection. */
export class LiveSocket {
  readonly #streams = new Map<number, AbortController>();
  readonly #allowance = new FrameAllowance();
  #room = Promise.withResolvers<void>();

  constructor(
    private readonly wire: Wire,
    private readonly source: StreamSource,
    private readonly log: Log,
  ) {}

  /** Streams that are open now. */
  get size(): number {
    return this.#streams.size;
  }

  take(message: string | Uint8Array): void {
    if (!this.#allowance.take()) {
      this.wire.close(POLICY, `more than ${MOST_AT_ONCE} frames at once, or ${PER_SECOND} a second`);
      return;
    }
    try {
      this.#obey(readClientFrame(message));
    } catch (error) {
      this.#refuse(null, faultOf(error, this.log));
    }
  }

  ping(): void {
    if (this.wire.bufferedBytes() < MOST_BUFFERED_BYTES) this.#send({ op: 'ping' });
  }

  /** The other side has taken something: streams that waited for that go on. */
  drained(): void {
    const { resolve } = this.#room;
    this.#room = Promise.withResolvers();
    resolve();
  }

  /** Ends every stream; nothing is sent any more. */
  closed(): void {
    for (const gone of this.#streams.values()) gone.abort();
    this.#streams.clear();
    this.drained();
  }

  #obey(frame: LiveClientFrame): void {
    if (frame.op === 'open') this.#open(frame.id, frame);
    else if (frame.op === 'close') this.#leave(frame.id);
  }

  #open(id: number, wish: StreamWish): void {
    // A problem means that nothing is open under the number, so the stream that was goes with it.
    const isTaken = this.#leave(id);
    if (isTaken || this.#streams.size >= MOST_STREAMS) {
      this.#refuse(id, isTaken ? inUse(id) : tooMany());
    } else {
      const gone = new AbortController();
      this.#streams.set(id, gone);
      void this.#carry(id, wish, gone.signal);
    }
  }

  /** Whether there was one. */
  #leave(id: number): boolean {
    this.#streams.get(id)?.abort();
    const wasOpen = this.#streams.delete(id);
    if (wasOpen) this.drained();
    return wasOpen;
  }

  async #carry(id: number, wish: StreamWish, signal: AbortSignal): Promise<void> {
    try {
      const messages = await this.source(wish, signal);
      await this.#finish({ id, ...(await this.#told(id, messages, signal)) }, signal);
    } catch (error) {
      if (!signal.aborted) await this.#finish({ id, problem: problemOf(faultOf(error, this.log)) }, signal);
    }
  }

  /** One that breaks off has ended: it can be opened again, and whatever is wrong is said then. */
  async #told(id: number, messages: AsyncGenerator<SseMessage>, signal: AbortSignal): Promise<{ end: true }> {
    try {
      for await (const message of messages) {
        await this.#whenRoom(signal);
        if (signal.aborted) break;
        this.wire.send(frameText(id, message));
      }
    } catch (error) {
      if (!signal.aborted) this.log.debug({ err: error }, 'a stream broke off');
    }
    return { end: true };
  }

  /** The number is taken until this is sent, so that a client that does not read cannot pile up answers. */
  async #finish(frame: LiveServerFrame & { id: number }, signal: AbortSignal): Promise<void> {
    await this.#whenRoom(signal);
    if (signal.aborted) return;
    this.#streams.delete(frame.id);
    this.#send(frame);
  }

  async #whenRoom(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.wire.bufferedBytes() >= MOST_BUFFERED_BYTES) await this.#room.promise;
  }

  #refuse(id: number | null, fault: Fault): void {
    if (this.wire.bufferedBytes() < MOST_BUFFERED_BYTES) this.#send({ id, problem: problemOf(fault) });
    else this.wire.close(POLICY, 'writes without reading');
  }

  #send(frame: LiveServerFrame): void {
    this.wire.send(JSON.stringify(frame));
  }
}

/** The data is JSON on one line already. */
function frameText(id: number, { event, data, id: eventId }: SseMessage): string {
  const place = eventId === null ? '' : `,"eventId":${JSON.stringify(eventId)}`;
  return `{"id":${id},"event":${JSON.stringify(event)},"data":${data}${place}}`;
}

function inUse(id: number): Fault {
  return new Fault('conflict', `A stream was open under ${id} already; both are closed. Count on.`);
}

function tooMany(): Fault {
  return new Fault(
    'conflict',
    `A connection has ${MOST_STREAMS} streams at most. Close one that nobody looks at, or open another connection.`,
    { most: MOST_STREAMS },
  );
}
