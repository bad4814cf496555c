import { type FakeGitHub, type NewPull, startFakeGitHub } from '../../../test/github/server.ts';
import type { Actor } from '../../kit/actor.ts';
import { type OpenSpaces, openSpaces, readyWorkspace, temporaryDirectory } from '../fixture.ts';
import { createGitHub } from './github/github.ts';

const WAIT_MS = 10_000;
const SETTLE_MS = 50;

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
export type Json = any;

export const OLD = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n';
export const NEW = 'one\ntwo\nTHREE\nfour\nfive\nsix\nseven\nEIGHT\nnine\n';

/** The people's side over a provider's stand-in, with a workspace and two of its agents. */
export interface TestReview {
  open: OpenSpaces;
  github: FakeGitHub;
  workspaceId: string;
  author: Actor;
  peer: Actor;
  /** In no room. */
  stranger: Actor;
  call: OpenSpaces['call'];
  /** A call that has to succeed, at `/reviews…` of the workspace. */
  ok(method: string, path: string, body?: unknown, actor?: Actor): Promise<Json>;
  /** Opens pull request 7 with the two agents. */
  review(pull?: Partial<NewPull>): Promise<Json>;
  until(id: string, isWanted: (view: Json) => boolean): Promise<Json>;
  /** Starts the service again on the same data. */
  restart(onPoint?: (name: string) => void): Promise<void>;
  close(): Promise<void>;
}

export async function createTestReview(onPoint?: (name: string) => void): Promise<TestReview> {
  const directory = temporaryDirectory();
  const github = startFakeGitHub();
  const start = (hook?: (name: string) => void) =>
    openSpaces({
      dataDir: directory.path,
      pullRequests: createGitHub({ apiUrl: github.url, token: github.token, settleMs: SETTLE_MS }),
      webhookSecret: 'a secret of the webhook',
      ...(hook && { onPoint: hook }),
    });
  const test = { open: await start(onPoint), github } as TestReview;
  test.workspaceId = await readyWorkspace(test.open, 'shop');
  const { body: agents } = await test.open.call('GET', `/workspaces/${test.workspaceId}/agents`);
  const actorOf = (name: string): Actor =>
    `agent:${agents.items.find((agent: Json) => agent.name === name).id}`;
  const call: TestReview['call'] = (method, path, body, actor = test.open.person) =>
    test.open.call(method, `/workspaces/${test.workspaceId}${path}`, body, actor);
  const ok: TestReview['ok'] = async (method, path, body, actor) => {
    const answer = await call(method, `/reviews${path}`, body, actor);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  const [author, peer, stranger] = [actorOf('engineer'), actorOf('qa'), actorOf('architect')];
  return Object.assign(test, {
    ...{ author, peer, stranger, call, ok },
    review: async (pull: Partial<NewPull> = {}) => {
      github.open({ number: 7, base: { 'src/a.ts': OLD }, head: { 'src/a.ts': NEW }, ...pull });
      const agentIds = [author, peer].map((actor) => actor.slice('agent:'.length));
      return ok('POST', '', { url: `${github.url}/acme/shop/pull/${pull.number ?? 7}`, agents: agentIds });
    },
    until: (id: string, isWanted: (view: Json) => boolean) =>
      eventually(
        () => ok('GET', `/${id}`),
        isWanted,
        () => test.open.deps.databases.wakes.wait(test.workspaceId, 50),
      ),
    restart: async (hook?: (name: string) => void) => {
      await test.open.close();
      test.open = await start(hook);
    },
    close: async () => {
      await test.open.close();
      await github.stop();
      directory.remove();
    },
  });
}

async function eventually<T>(
  look: () => Promise<T>,
  isWanted: (value: T) => boolean,
  wait: () => Promise<void>,
): Promise<T> {
  const giveUpAt = Date.now() + WAIT_MS;
  for (;;) {
    const value = await look();
    if (isWanted(value)) return value;
    if (Date.now() > giveUpAt) throw new Error(`still not so: ${JSON.stringify(value)?.slice(0, 3_000)}`);
    await wait();
  }
}

/** A finding on line 3 of the file, unless told otherwise. */
export function finding(more: Record<string, unknown> = {}) {
  const anchor = { path: 'src/a.ts', startLine: 3 };
  return { type: 'bug', priority: 'P1', confidence: 0.8, body: 'This breaks.', anchor, ...more };
}
