import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { LiveSocket } from './socket.ts';

/** A connection whose other side is the test. */
class Double {
  static readonly OPEN = 1;
  static all: Double[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;

  constructor() {
    Double.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    // The handshake of one that is dead does not come to an end.
    this.readyState = 2;
  }
  opened(): void {
    this.readyState = Double.OPEN;
    this.onopen();
  }
  says(frame: object): void {
    this.onmessage({ data: JSON.stringify(frame) });
  }
  ends(): void {
    this.readyState = 3;
    this.onclose({ code: 1006 });
  }
}

const present = globalThis.WebSocket;
let live: LiveSocket;
const told: unknown[] = [];
const problems: unknown[] = [];
const at = (i: number): Double => Double.all[i] as Double;

beforeEach(() => {
  jest.useFakeTimers();
  Double.all = [];
  told.length = 0;
  problems.length = 0;
  globalThis.WebSocket = Double as unknown as typeof WebSocket;
  live = new LiveSocket('ws://none', () => undefined);
  live.open('/events', {
    isEndless: true,
    onMessage: (_event, data) => told.push(data),
    onProblem: (problem) => problems.push(problem),
  });
  at(0).opened();
});
afterEach(() => {
  live.close();
  globalThis.WebSocket = present;
  jest.useRealTimers();
});

test('a stream that a server refused on its way up is asked for once on the next connection', () => {
  at(0).says({ id: 1, problem: { code: 'unavailable', status: 503, detail: 'Not yet.' } });
  at(0).ends();
  jest.advanceTimersByTime(400);
  at(1).opened();
  jest.advanceTimersByTime(2_000);
  expect(at(1).sent.filter(({ op }) => op === 'open')).toEqual([{ op: 'open', id: 1, path: '/events' }]);
  at(1).says({ id: 1, data: 'here', eventId: '7' });
  expect([told, problems]).toEqual([['here'], []]);
});

test('after a sleep a connection that missed a ping is left at once, and what it still says is not heard', () => {
  at(0).says({ id: 1, data: 'before', eventId: '7' });
  jest.setSystemTime(Date.now() + 10_000);
  live.wake();
  expect(Double.all).toHaveLength(1);
  jest.setSystemTime(Date.now() + 60_000);
  live.wake();
  at(1).opened();
  expect(at(1).sent).toEqual([{ op: 'open', id: 1, path: '/events', lastEventId: '7' }]);
  at(0).says({ id: 1, data: 'late', eventId: '8' });
  at(0).ends();
  expect([told, Double.all.length]).toEqual([['before'], 2]);
});

test('a connection that says nothing is given up by itself', () => {
  jest.advanceTimersByTime(36_000);
  expect(Double.all).toHaveLength(2);
});
