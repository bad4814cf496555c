import { type ServerProcess, startServerProcess } from '../e2e/server-process.ts';

/** A server that is killed again and again, and started each time on the same data and port. */
export class Lives {
  kills = 0;
  /** Ends that nobody asked for, with what the process said last. */
  readonly deaths: string[] = [];
  #server: ServerProcess | null = null;
  #isAsked = false;
  #url = '';

  constructor(private readonly env: Record<string, string>) {}

  get url(): string {
    return this.#url;
  }

  /** Null between a kill and the next start. */
  get pid(): number | null {
    return this.#server?.pid ?? null;
  }

  async begin(): Promise<void> {
    const port = this.#url === '' ? {} : { CONTROL_CENTER_PORT: new URL(this.#url).port };
    const server = await startServerProcess({ ...this.env, ...port });
    this.#isAsked = false;
    this.#server = server;
    this.#url = server.url;
    void server.exited.then((status) => {
      if (!this.#isAsked) this.deaths.push(`ended with ${status}: ${server.stderr().slice(-2_000)}`);
    });
  }

  async kill(): Promise<void> {
    this.#isAsked = true;
    const server = this.#server;
    this.#server = null;
    await server?.kill();
    this.kills++;
    await this.begin();
  }

  async end(): Promise<void> {
    this.#isAsked = true;
    await this.#server?.kill('SIGTERM');
  }
}
