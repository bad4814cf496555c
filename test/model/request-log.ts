import type { MessagesRequest } from './messages-request.ts';

/** One request as it arrived and what was decided about it. */
export interface RecordedRequest {
  /** Arrival, epoch milliseconds. */
  at: number;
  path: string;
  headers: Record<string, string>;
  /** As sent and unchecked when `problem` is set; empty when it was no JSON object. */
  body: MessagesRequest;
  dialogue: string | null;
  /** Index of the turn that answers, -1 when none was chosen. */
  turn: number;
  status: number;
  /** Why the request was refused, null for a good one (also when the script lets it fail). */
  problem: string | null;
  /** The client went away before the whole answer was sent. */
  aborted?: boolean;
}

type Predicate = (request: RecordedRequest) => boolean;

export interface RequestLog {
  requests: RecordedRequest[];
  add(request: RecordedRequest): void;
  markAborted(request: RecordedRequest): void;
  /**
   * The first request that fits, seen already or to come, looked at again when it is aborted.
   * @throws Error when none came within `timeoutMs` or the server stopped before.
   */
  waitFor(predicate: Predicate, timeoutMs: number): Promise<RecordedRequest>;
  close(): void;
}

interface Waiter {
  predicate: Predicate;
  resolve: (request: RecordedRequest) => void;
  reject: (reason: Error) => void;
  timer: Timer;
}

function summaryOf(requests: RecordedRequest[]): string {
  const lines = requests.map(({ path, dialogue, turn, status }) => `${path} ${dialogue}#${turn} ${status}`);
  return lines.length === 0 ? 'no request came' : `seen: ${lines.join(', ')}`;
}

export function createRequestLog(): RequestLog {
  const requests: RecordedRequest[] = [];
  const waiters = new Set<Waiter>();
  const release = (waiter: Waiter) => {
    clearTimeout(waiter.timer);
    waiters.delete(waiter);
  };
  const fail = (waiter: Waiter, reason: string) => {
    release(waiter);
    waiter.reject(new Error(`No such request: ${reason}; ${summaryOf(requests)}`));
  };
  const offer = (request: RecordedRequest) => {
    for (const waiter of [...waiters]) {
      if (!waiter.predicate(request)) continue;
      release(waiter);
      waiter.resolve(request);
    }
  };
  return {
    requests,
    add(request) {
      requests.push(request);
      offer(request);
    },
    markAborted(request) {
      request.aborted = true;
      offer(request);
    },
    waitFor(predicate, timeoutMs) {
      const seen = requests.find(predicate);
      if (seen) return Promise.resolve(seen);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => fail(waiter, `waited ${timeoutMs} ms`), timeoutMs);
        const waiter: Waiter = { predicate, resolve, reject, timer };
        waiters.add(waiter);
      });
    },
    close() {
      for (const waiter of [...waiters]) fail(waiter, 'the server stopped');
    },
  };
}
