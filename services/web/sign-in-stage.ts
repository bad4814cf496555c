import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
type Answer = { status: number; headers: Headers; body: any };

const JSON_TYPE = { 'content-type': 'application/json' };

export const setCookieOf = ({ headers }: Answer) => headers.get('set-cookie') ?? '';

/** A server on a data directory of its own, its owner, and browsers that sign in. Attempts are counted by the server. */
export class SignInStage {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'sign-in-'));
  ownerToken = '';
  #server: RunningServer | null = null;

  get url(): string {
    return this.#server?.url ?? '';
  }

  async start(): Promise<void> {
    const config = loadConfig({ CONTROL_CENTER_LOG: 'silent' }, { dataDir: this.dataDir, port: 0 });
    this.#server = await startServer(config);
    this.ownerToken = this.#server.ownerToken ?? this.ownerToken;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  async call(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = body === undefined ? {} : JSON_TYPE;
    const init = { method, headers: { ...type, ...headers }, ...(body === undefined ? {} : { body: text }) };
    const response = await fetch(this.url + path, init);
    const answer = await response.text();
    const document = answer === '' ? null : JSON.parse(answer);
    return { status: response.status, headers: response.headers, body: document };
  }

  asOwner(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.call(method, path, { authorization: `Bearer ${this.ownerToken}` }, body);
  }

  async newCode(body: object = {}): Promise<string> {
    return (await this.asOwner('POST', '/api/sign-in-codes', body)).body.code;
  }

  signIn(code: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.call('POST', '/api/session', headers, { code });
  }

  /** The header of a browser that signed in. */
  async signedIn(body: object = {}): Promise<{ cookie: string }> {
    const answer = await this.signIn(await this.newCode(body));
    if (answer.status !== 200) throw new Error(`nobody was signed in: ${JSON.stringify(answer.body)}`);
    return { cookie: setCookieOf(answer).split(';')[0] ?? '' };
  }

  /** As a page of the server sends it. */
  fromHere(signed: { cookie: string }) {
    return { ...signed, origin: this.url };
  }

  async me(headers: Record<string, string>) {
    return (await this.call('GET', '/api/me', headers)).body;
  }

  async member(role: string): Promise<string> {
    return (await this.asOwner('POST', '/api/members', { name: `A ${role}`, role })).body.id;
  }
}
