/** What goes wrong with a request. `cut` resets the connection: before anything was done, or in the middle of the answer. */
export type Fault =
  | { kind: 'status'; status: number; headers?: Record<string, string>; message?: string }
  | { kind: 'cut'; when: 'before' | 'after' }
  /** Nothing is done before the promise is kept. */
  | { kind: 'hold'; until: Promise<unknown> };

export interface ScriptedFault {
  method?: string;
  /** Matched against the path, without the query. */
  path?: RegExp;
  fault: Fault;
  /** How often; once unless told. */
  times?: number;
}

/** Gives each fault to the requests it fits, as often as it is scripted. */
export class Faults {
  readonly #scripted: { scripted: ScriptedFault; left: number }[] = [];

  add(scripted: ScriptedFault): void {
    this.#scripted.push({ scripted, left: scripted.times ?? 1 });
  }

  clear(): void {
    this.#scripted.length = 0;
  }

  next(method: string, path: string): Fault | null {
    const hit = this.#scripted.find(
      ({ scripted, left }) =>
        left > 0 && (scripted.method ?? method) === method && (scripted.path?.test(path) ?? true),
    );
    if (!hit) return null;
    hit.left -= 1;
    return hit.scripted.fault;
  }
}

/** Counts the requests that are held at a moment. */
export class Holds {
  #count = 0;
  #waiting: { count: number; resolve: () => void }[] = [];

  async hold(until: Promise<unknown>): Promise<void> {
    this.#count += 1;
    for (const { count, resolve } of this.#waiting) if (this.#count >= count) resolve();
    await until;
    this.#count -= 1;
  }

  reached(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve });
    if (this.#count >= count) resolve();
    return promise;
  }
}

/** Long enough for what was written before to leave the socket. */
const FLUSH_MS = 10;

/** Half of the answer, and then the connection is gone. */
export async function cutShort(response: Response | null): Promise<Response> {
  const text = response ? await response.text() : '';
  const half = new TextEncoder().encode(text.slice(0, text.length / 2));
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      if (half.length > 0) controller.enqueue(half);
      await Bun.sleep(FLUSH_MS);
      // Without a reason: the server prints any other one as if it had failed itself.
      controller.error(undefined);
    },
  });
  return new Response(body, {
    status: response?.status ?? 200,
    headers: { 'content-type': 'application/json' },
  });
}
