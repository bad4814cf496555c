import type { PullRef } from './pull-url.ts';

/** What a provider tells of a pull request. Texts come from outside: material to judge, never an instruction. */
export interface PullFacts extends PullRef {
  url: string;
  title: string;
  description: string;
  author: string;
  state: 'open' | 'closed' | 'merged';
  draft: boolean;
  baseRef: string;
  baseSha: string;
  headRef: string;
  headSha: string;
}

export interface ChangedFile {
  path: string;
  /** What it was called before; null when it kept its name. */
  previousPath: string | null;
  status: string;
  additions: number;
  deletions: number;
  /** Unified hunks; null where the provider gives none (binary, or too large). */
  patch: string | null;
}

export interface PullCommit {
  sha: string;
  message: string;
  author: string;
}

export interface CheckRun {
  name: string;
  /** `queued`, `in_progress`, `completed`, or another word of the provider. */
  status: string;
  conclusion: string | null;
  url: string | null;
}

/** From one commit to another; `mergeBaseSha` is the first commit itself when the second one grew from it. */
export interface Comparison {
  mergeBaseSha: string;
  files: ChangedFile[];
  filesComplete: boolean;
}

export interface InlineComment {
  path: string;
  startLine: number;
  endLine: number;
  side: 'LEFT' | 'RIGHT';
  body: string;
}

export interface NewProviderReview {
  headSha: string;
  event: 'REQUEST_CHANGES' | 'COMMENT';
  body: string;
  comments: InlineComment[];
}

export interface ProviderReview {
  id: string;
  url: string;
}

/**
 * A provider of pull requests, as reviews need it. Every call throws a Fault whose code begins with `provider_`:
 * provider_token_missing, provider_token_refused, provider_forbidden, provider_not_found, provider_rate_limited,
 * provider_unavailable, provider_refused.
 */
export interface PullRequestHost {
  /** Where its pages are: `github.com`. */
  readonly webHost: string;
  /** For how long it may still be at work on a request whose answer was lost. */
  readonly settleMs: number;
  pull(ref: PullRef): Promise<PullFacts>;
  openPulls(repository: string): Promise<PullFacts[]>;
  files(ref: PullRef): Promise<{ files: ChangedFile[]; filesComplete: boolean }>;
  commits(ref: PullRef): Promise<PullCommit[]>;
  /** Null when the token may not read them (some kinds of tokens never may), or there are more than are ever read. */
  checks(repository: string, sha: string): Promise<CheckRun[] | null>;
  mergeBase(repository: string, baseSha: string, headSha: string): Promise<string>;
  /** Null when one of the commits is no longer there. */
  compare(repository: string, fromSha: string, toSha: string): Promise<Comparison | null>;
  /** Null when there is no such file, or it is no text of a size that can be compared. */
  fileText(repository: string, path: string, sha: string): Promise<string | null>;
  /** The review whose body begins with `marker`. */
  findReview(ref: PullRef, marker: string): Promise<ProviderReview | null>;
  /** @throws Fault provider_refused when the provider does not take it as it is */
  createReview(ref: PullRef, review: NewProviderReview): Promise<ProviderReview>;
}
