import { cutShort, Faults, Holds, type ScriptedFault } from './faults.ts';
import type { Pull } from './pull.ts';
import { type Files, Repository } from './repository.ts';
import { answer, type Hub } from './routes.ts';

export interface RecordedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: unknown;
  status: number;
}

export interface FakeGitHub {
  /** For GITHUB_API_URL. */
  url: string;
  token: string;
  requests: RecordedRequest[];
  repository: Repository;
  pulls: Map<number, Pull>;
  /** Opens a pull request of `acme/shop` from one tree to another. */
  open(pull: NewPull): Pull;
  /** Adds a commit to a pull request's branch. @returns its sha */
  push(number: number, change: Push): string;
  /** Puts the branch on a new commit that grew from `onto`. */
  forcePush(number: number, change: Push & { onto?: string }): string;
  /** Finishes a check of the pull request's head. */
  check(number: number, name: string, conclusion: string | null): void;
  /** A client may repeat a request that only reads by itself, so that `times` is spent faster. */
  fail(fault: ScriptedFault): void;
  /** Resolves when this many requests are held. */
  held(count: number): Promise<void>;
  /** Forgets what was to fail. */
  mend(): void;
  stop(): Promise<void>;
}

export interface NewPull {
  number: number;
  title?: string;
  body?: string;
  author?: string;
  base: Files;
  head: Files;
  renames?: Files;
}

export interface Push {
  files: Files;
  renames?: Files;
  message?: string;
}

/**
 * The part of the GitHub REST API that reviews use, over HTTP on 127.0.0.1: it pages as the API does, records every request,
 * refuses what the API would refuse, and fails where it is told to.
 */
export function startFakeGitHub(token = 'ghp_scripted_token_of_the_tests'): FakeGitHub {
  const faults = new Faults();
  const holds = new Holds();
  const requests: RecordedRequest[] = [];
  const hub: Hub = { repository: new Repository(), pulls: new Map(), checks: new Map(), token, url: '' };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const fault = faults.next(request.method, pathname);
      if (fault?.kind === 'hold') await holds.hold(fault.until);
      const body = text === '' ? null : JSON.parse(text);
      const isDone =
        fault === null || fault.kind === 'hold' || (fault.kind === 'cut' && fault.when === 'after');
      const response = isDone ? answer(hub, request, body) : null;
      const given = fault?.kind === 'status' ? failure(fault) : response;
      const headers = Object.fromEntries(request.headers);
      requests.push({
        method: request.method,
        path: pathname + search,
        headers,
        body,
        status: given?.status ?? 0,
      });
      return fault?.kind === 'cut' || given === null ? cutShort(response) : given;
    },
  });
  hub.url = `http://127.0.0.1:${server.port}`;
  return {
    ...{ url: hub.url, token, requests, repository: hub.repository, pulls: hub.pulls },
    ...branches(hub),
    check(number, name, conclusion) {
      const sha = pullOf(hub, number).headSha;
      const others = (hub.checks.get(sha) ?? []).filter((check) => check.name !== name);
      hub.checks.set(sha, [...others, { name, conclusion }]);
    },
    fail: (fault) => faults.add(fault),
    held: (count) => holds.reached(count),
    mend: () => faults.clear(),
    stop: () => server.stop(true),
  };
}

function failure({
  status,
  headers,
  message,
}: Extract<ScriptedFault['fault'], { kind: 'status' }>): Response {
  const json = { message: message ?? `Scripted failure ${status}`, status: String(status) };
  return Response.json(json, headers ? { status, headers } : { status });
}

function branches(hub: Hub): Pick<FakeGitHub, 'open' | 'push' | 'forcePush'> {
  const { repository, pulls } = hub;
  return {
    open({ number, base, head, renames, title = 'A change', body = 'Why and how.', author = 'ada' }) {
      const baseSha = repository.commit(null, 'The beginning', base);
      const headSha = repository.commit(baseSha, title, head, renames);
      const pull: Pull = { number, title, body, author, state: 'open', baseSha, headSha, reviews: [] };
      pulls.set(number, pull);
      return pull;
    },
    push(number, { files, renames, message = 'More' }) {
      const pull = pullOf(hub, number);
      pull.headSha = repository.commit(pull.headSha, message, files, renames);
      return pull.headSha;
    },
    forcePush(number, { files, renames, message = 'Again', onto }) {
      const pull = pullOf(hub, number);
      if (onto !== undefined) pull.baseSha = onto;
      pull.headSha = repository.commit(pull.baseSha, message, files, renames);
      return pull.headSha;
    },
  };
}

function pullOf({ pulls }: Hub, number: number): Pull {
  const pull = pulls.get(number);
  if (!pull) throw new Error(`there is no pull request ${number}`);
  return pull;
}
