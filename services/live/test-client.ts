import { connect } from 'node:net';
import type { LiveServerFrame } from './protocol.ts';

type StreamFrame = Extract<LiveServerFrame, { event: string }>;

/** A client that keeps what it is sent. */
export interface TestClient {
  socket: WebSocket;
  frames: LiveServerFrame[];
  closed: Promise<{ code: number; reason: string }>;
  send(frame: unknown): void;
  open(id: number, path: string, lastEventId?: string): void;
  /** Resolves with the first frame that fits, seen already or to come; rejects when the connection ends before. */
  frame(fits: (frame: LiveServerFrame) => boolean): Promise<LiveServerFrame>;
  /** What came of a stream until now. */
  of(id: number): StreamFrame[];
}

/** Rejects when the server does not let it in. */
export async function connectLive(url: string, headers: Record<string, string>): Promise<TestClient> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/live`, { headers } as never);
  const frames: LiveServerFrame[] = [];
  const watchers = new Set<() => void>();
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<{ code: number; reason: string }>();
  const { promise: opened, resolve: onOpen } = Promise.withResolvers<void>();
  let isClosed = false;
  socket.onopen = () => onOpen();
  socket.onmessage = ({ data }) => {
    frames.push(JSON.parse(String(data)) as LiveServerFrame);
    for (const look of watchers) look();
  };
  socket.onclose = ({ code, reason }) => {
    isClosed = true;
    onClosed({ code, reason });
    for (const look of watchers) look();
  };
  await Promise.race([opened, closed.then(({ code }) => Promise.reject(new Error(`not let in (${code})`)))]);
  const send = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  return {
    ...{ socket, frames, closed, send },
    open: (id, path, lastEventId) => send({ op: 'open', id, path, ...(lastEventId && { lastEventId }) }),
    frame(fits) {
      const { promise, resolve, reject } = Promise.withResolvers<LiveServerFrame>();
      const look = () => {
        const found = frames.find(fits);
        if (found) resolve(found);
        else if (isClosed) reject(new Error(`it ended after ${JSON.stringify(frames.slice(-5))}`));
      };
      watchers.add(look);
      look();
      return promise.finally(() => watchers.delete(look));
    },
    of: (id) => frames.filter((frame): frame is StreamFrame => 'event' in frame && frame.id === id),
  };
}

/** A client on a bare socket, which reads nothing until it is told to. */
export async function connectBare(url: string, headers: Record<string, string>) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = [
    ...['GET /api/live HTTP/1.1', `Host: ${host}`, 'Upgrade: websocket', 'Connection: Upgrade'],
    ...['Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'],
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return {
    send: (text: string) => socket.write(maskedFrame(text)),
    end: () => socket.destroy(),
    /** What it is sent, until so many messages have come: of each the stream and `n` of its data. */
    read(count: number): Promise<{ id: number; n: number }[]> {
      const { promise, resolve } = Promise.withResolvers<{ id: number; n: number }[]>();
      const found: { id: number; n: number }[] = [];
      let rest = '';
      socket.on('data', (chunk: Buffer) => {
        rest += chunk.toString('latin1');
        for (let match = MESSAGE.exec(rest); match; match = MESSAGE.exec(rest)) {
          found.push({ id: Number(match[1]), n: Number(match[2]) });
          rest = rest.slice(match.index + match[0].length);
        }
        if (found.length >= count) resolve(found);
      });
      socket.resume();
      return promise;
    },
  };
}

const MESSAGE = /"id":(\d+),"event":"\w+","data":\{"n":(\d+),/;

function maskedFrame(text: string): Uint8Array {
  const payload = Buffer.from(text);
  if (payload.length > 125) throw new Error('too long for this client');
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}
