import type { MadeReview, Pull } from './pull.ts';
import type { Repository } from './repository.ts';
import { type ReviewRequest, reviewFaults } from './review-rules.ts';

export const OWN_REPOSITORY = 'acme/shop';
/** Whom the token belongs to. */
export const TOKEN_USER = 'control-center';
const MOST_COMPARED = 300;

/** All that the fake knows. */
export interface Hub {
  repository: Repository;
  pulls: Map<number, Pull>;
  /** By commit; a check without a conclusion still runs. */
  checks: Map<string, { name: string; conclusion: string | null }[]>;
  token: string;
  url: string;
}

type Handler = (hub: Hub, request: Request, parts: string[], body: unknown) => Response;

const PULL = /^\/pulls\/(\d+)$/;
const ROUTES: [method: string, path: RegExp, handler: Handler][] = [
  [
    'GET',
    /^\/pulls$/,
    (hub, request) =>
      paged(
        request,
        [...hub.pulls.values()].map((pull) => pullJson(hub, pull)),
      ),
  ],
  [
    'GET',
    PULL,
    onPull((hub, _, pull) =>
      Response.json({ ...pullJson(hub, pull), changed_files: diffOf(hub, pull).length }),
    ),
  ],
  ['GET', /^\/pulls\/(\d+)\/files$/, onPull((hub, request, pull) => paged(request, diffOf(hub, pull)))],
  ['GET', /^\/pulls\/(\d+)\/commits$/, onPull((hub, request, pull) => paged(request, commitsOf(hub, pull)))],
  [
    'GET',
    /^\/pulls\/(\d+)\/reviews$/,
    onPull((hub, request, pull) =>
      paged(
        request,
        pull.reviews.map((one) => reviewJson(hub, pull, one)),
      ),
    ),
  ],
  ['POST', /^\/pulls\/(\d+)\/reviews$/, onPull(makeReview)],
  ['GET', /^\/commits\/([0-9a-f]{40})\/check-runs$/, checkRuns],
  ['GET', /^\/compare\/([0-9a-f]{40})\.\.\.([0-9a-f]{40})$/, compare],
  ['GET', /^\/contents\/(.+)$/, contents],
];

export function answer(hub: Hub, request: Request, body: unknown): Response {
  const authorization = request.headers.get('authorization') ?? '';
  if (![`token ${hub.token}`, `Bearer ${hub.token}`].includes(authorization))
    return refused(401, 'Bad credentials');
  const path = decodeURIComponent(new URL(request.url).pathname);
  const inside = path.replace(new RegExp(`^/repos/${OWN_REPOSITORY}`, 'i'), '');
  if (inside === path) return refused(404, 'Not Found');
  for (const [method, pattern, handler] of ROUTES) {
    const parts = method === request.method ? pattern.exec(inside) : null;
    if (parts) return handler(hub, request, [...parts], body);
  }
  return refused(404, 'Not Found');
}

function refused(status: number, message: string, errors?: string[]): Response {
  return Response.json({ message, ...(errors && { errors }), status: String(status) }, { status });
}

function onPull(handle: (hub: Hub, request: Request, pull: Pull, body: unknown) => Response): Handler {
  return (hub, request, [, number], body) => {
    const pull = hub.pulls.get(Number(number));
    return pull ? handle(hub, request, pull, body) : refused(404, 'Not Found');
  };
}

/** A page of a list, with the link to the next one. */
function paged<T>(
  request: Request,
  items: readonly T[],
  wrap: (page: readonly T[]) => unknown = (page) => page,
) {
  const url = new URL(request.url);
  const [size, page] = [
    Number(url.searchParams.get('per_page') ?? 30),
    Number(url.searchParams.get('page') ?? 1),
  ];
  const end = page * size;
  const at = (number: number) => {
    url.searchParams.set('page', String(number));
    return `<${url}>`;
  };
  const link = `${at(page + 1)}; rel="next", ${at(Math.ceil(items.length / size))}; rel="last"`;
  const headers = end < items.length ? { link } : {};
  return Response.json(wrap(items.slice(end - size, end)), { headers });
}

function pullJson({ url }: Hub, { number, title, body, author, state, baseSha, headSha }: Pull) {
  const repo = { full_name: OWN_REPOSITORY };
  return {
    ...{ number, title, body, state, merged_at: null, draft: false, user: { login: author } },
    html_url: `${url}/${OWN_REPOSITORY}/pull/${number}`,
    base: { ref: 'main', sha: baseSha, repo },
    head: { ref: `change-${number}`, sha: headSha, repo },
  };
}

function reviewJson({ url }: Hub, { number }: Pull, { id, body, commit_id, event }: MadeReview) {
  const state = event === 'REQUEST_CHANGES' ? 'CHANGES_REQUESTED' : 'COMMENTED';
  const html_url = `${url}/${OWN_REPOSITORY}/pull/${number}#pullrequestreview-${id}`;
  return { id, body, commit_id, state, html_url, user: { login: TOKEN_USER } };
}

function diffOf({ repository }: Hub, { baseSha, headSha }: Pull, sha = headSha) {
  return repository.changes(repository.mergeBase(baseSha, sha), sha);
}

function commitsOf({ repository }: Hub, { baseSha, headSha }: Pull) {
  return repository.between(baseSha, headSha).map(commitJson);
}

function commitJson({ sha, message }: { sha: string; message: string }) {
  return { sha, commit: { message, author: { name: 'Ada' } }, author: { login: 'ada' } };
}

function makeReview(hub: Hub, _: Request, pull: Pull, body: unknown): Response {
  const request = (body ?? {}) as ReviewRequest;
  const faults = reviewFaults(request, {
    commits: commitsOf(hub, pull).map(({ sha }) => sha),
    changes: (sha) => diffOf(hub, pull, sha),
    isOwn: pull.author === TOKEN_USER,
  });
  if (faults.length > 0) return refused(422, 'Unprocessable Entity', faults);
  const made = {
    ...request,
    id: 1_000 + pull.reviews.length,
    comments: request.comments ?? [],
  } as MadeReview;
  pull.reviews.push(made);
  return Response.json(reviewJson(hub, pull, made));
}

function checkRuns(hub: Hub, request: Request, [, sha = '']: string[]): Response {
  const checks = hub.checks.get(sha) ?? [];
  const json = checks.map(({ name, conclusion }) => ({
    ...{ name, conclusion, status: conclusion === null ? 'in_progress' : 'completed' },
    html_url: `${hub.url}/checks/${name}`,
  }));
  return paged(request, json, (page) => ({ total_count: checks.length, check_runs: page }));
}

/** Three dots: from what both grew from to the second. Files come with the first page alone. */
function compare({ repository }: Hub, request: Request, [, from = '', to = '']: string[]): Response {
  if (!repository.get(from) || !repository.get(to)) return refused(404, 'Not Found');
  const base = repository.mergeBase(from, to);
  const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
  const files = repository.changes(base, to).slice(0, MOST_COMPARED);
  const commits = repository.between(from, to).map(commitJson);
  const status = base === from ? (from === to ? 'identical' : 'ahead') : base === to ? 'behind' : 'diverged';
  const common = { status, total_commits: commits.length, merge_base_commit: { sha: base } };
  return Response.json({
    ...common,
    commits: page === 1 ? commits.slice(0, 1) : [],
    ...(page === 1 && { files }),
  });
}

function contents({ repository }: Hub, request: Request, [, path = '']: string[]): Response {
  const sha = new URL(request.url).searchParams.get('ref') ?? '';
  const text = repository.get(sha)?.files[path];
  if (text === undefined) return refused(404, 'Not Found');
  return new Response(text, { headers: { 'content-type': 'application/vnd.github.raw; charset=utf-8' } });
}
