import * as z from 'zod';
import { type Fault, hasFaultCode } from '../../../kit/fault.ts';
import type { InlineComment, PullRequestHost } from '../pull-request-host.ts';
import type { PullRef } from '../pull-url.ts';
import { ChangedFileCount, CheckRuns, Commit, Compared, File, Pull, Review } from './answers.ts';
import { type AskPage, type CallerOptions, caller, type Read } from './caller.ts';

export interface GitHubOptions extends CallerOptions {
  settleMs?: number;
}

/** The provider ends a request after ten seconds. */
const SETTLE_MS = 12_000;
/** A comparison names no more files than these. */
const MOST_COMPARED = 300;
const LONGEST_TEXT = 2_000_000;

/** Pull requests of GitHub, or of a server that speaks as it does. */
export function createGitHub(options: GitHubOptions): PullRequestHost {
  const { read, page, newest, write } = caller(options);
  const named = ({ repository, number }: PullRef) => ({ ...partsOf(repository), pull_number: number });
  return {
    webHost: webHostOf(options.apiUrl),
    settleMs: options.settleMs ?? SETTLE_MS,
    pull: (ref) => read(Pull, whatOf(ref), ({ rest }) => rest.pulls.get(named(ref))),
    async openPulls(repository) {
      const ask: AskPage = ({ rest }, paging) =>
        rest.pulls.list({ ...partsOf(repository), state: 'open', ...paging });
      return (await page(z.array(Pull), `open pull requests of ${repository}`, ask)).items;
    },
    async files(ref) {
      const what = `the diff of ${whatOf(ref)}`;
      const { changed_files } = await read(ChangedFileCount, what, ({ rest }) => rest.pulls.get(named(ref)));
      const { items: files, isWhole } = await page(z.array(File), what, ({ rest }, paging) =>
        rest.pulls.listFiles({ ...named(ref), ...paging }),
      );
      return { files, filesComplete: isWhole && files.length >= changed_files };
    },
    async commits(ref) {
      const ask: AskPage = ({ rest }, paging) => rest.pulls.listCommits({ ...named(ref), ...paging });
      return (await page(z.array(Commit), `the commits of ${whatOf(ref)}`, ask)).items;
    },
    async checks(repository, sha) {
      const checks = await nullIf(
        'provider_forbidden',
        page(
          CheckRuns.transform(({ check_runs }) => check_runs),
          `the checks of ${repository}@${sha}`,
          ({ rest }, paging) => rest.checks.listForRef({ ...partsOf(repository), ref: sha, ...paging }),
        ),
      );
      // One that is not named may have failed.
      return checks?.isWhole ? checks.items : null;
    },
    ...comparisons(read),
    async findReview(ref, marker) {
      const what = `the reviews of ${whatOf(ref)}`;
      const ask: AskPage = ({ rest }, paging) => rest.pulls.listReviews({ ...named(ref), ...paging });
      for await (const reviews of newest(z.array(Review), what, ask)) {
        const review = reviews.find(({ body }) => body?.startsWith(marker));
        if (review) return { id: String(review.id), url: review.html_url };
      }
      return null;
    },
    async createReview(ref, { headSha, event, body, comments }) {
      const json = { commit_id: headSha, event, body, comments: comments.map(commentOf) };
      const { id, html_url } = await write(Review, `a review of ${whatOf(ref)}`, ({ rest }) =>
        rest.pulls.createReview({ ...named(ref), ...json }),
      );
      return { id: String(id), url: html_url };
    },
  };
}

function comparisons(read: Read): Pick<PullRequestHost, 'mergeBase' | 'compare' | 'fileText'> {
  const compared = (repository: string, from: string, to: string, page: number) =>
    read(Compared, `the change from ${from} to ${to} in ${repository}`, ({ rest }) =>
      rest.repos.compareCommitsWithBasehead({
        ...{ ...partsOf(repository), basehead: `${from}...${to}` },
        ...{ per_page: 1, page },
      }),
    );
  return {
    // The files come with the first page alone, and are not wanted here.
    mergeBase: async (repository, base, head) =>
      (await compared(repository, base, head, 2)).merge_base_commit.sha,
    async compare(repository, from, to) {
      const comparison = await nullIf('provider_not_found', compared(repository, from, to, 1));
      if (comparison === null) return null;
      const { files = [], merge_base_commit } = comparison;
      return { mergeBaseSha: merge_base_commit.sha, files, filesComplete: files.length < MOST_COMPARED };
    },
    async fileText(repository, path, sha) {
      const what = `${path} of ${repository}@${sha}`;
      const reading = read(z.unknown(), what, ({ rest }) =>
        rest.repos.getContent({
          ...{ ...partsOf(repository), path, ref: sha },
          mediaType: { format: 'raw' },
        }),
      );
      // A file that is too large is forbidden.
      const data = await nullIf('provider_forbidden', nullIf('provider_not_found', reading));
      const isText = typeof data === 'string' && data.length <= LONGEST_TEXT && !data.includes('\0');
      return isText ? data : null;
    },
  };
}

async function nullIf<T>(code: Fault['code'], reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (hasFaultCode(error, code)) return null;
    throw error;
  }
}

function partsOf(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}

function whatOf({ repository, number }: PullRef): string {
  return `pull request ${repository}#${number}`;
}

function commentOf({ path, startLine, endLine, side, body }: InlineComment) {
  const last = { path, body, line: endLine, side };
  return startLine === endLine ? last : { ...last, start_line: startLine, start_side: side };
}

/** Where the pages of an API's pull requests are. */
function webHostOf(apiUrl: string): string {
  const { host } = new URL(apiUrl);
  return host === 'api.github.com' ? 'github.com' : host;
}
