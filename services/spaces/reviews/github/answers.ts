import * as z from 'zod';
import type { ChangedFile, CheckRun, PullCommit, PullFacts } from '../pull-request-host.ts';

/** Only what is used of the provider's answers. Their texts are made such that a database takes them. */
const Text = z.string().transform((text) => text.toWellFormed().replaceAll('\0', '\uFFFD'));
const Login = z
  .object({ login: Text })
  .nullish()
  .transform((user) => user?.login ?? 'unknown');
const Count = z.number().int().nonnegative();

const Branch = z.object({ ref: Text, sha: Text });
const Repository = z.object({ full_name: Text });

export const Pull = z
  .object({
    number: z.number().int(),
    html_url: Text,
    title: Text,
    body: Text.nullish(),
    user: Login,
    state: z.enum(['open', 'closed']),
    merged_at: Text.nullish(),
    draft: z.boolean().nullish(),
    base: Branch.extend({ repo: Repository }),
    head: Branch,
  })
  .transform(
    (pull): PullFacts => ({
      repository: pull.base.repo.full_name,
      ...{ number: pull.number, url: pull.html_url, title: pull.title, description: pull.body ?? '' },
      ...{ author: pull.user, state: pull.merged_at ? 'merged' : pull.state, draft: pull.draft ?? false },
      ...{ baseRef: pull.base.ref, baseSha: pull.base.sha, headRef: pull.head.ref, headSha: pull.head.sha },
    }),
  );

export const ChangedFileCount = z.object({ changed_files: Count });

export const File = z
  .object({
    filename: Text,
    previous_filename: Text.nullish(),
    status: Text,
    additions: Count,
    deletions: Count,
    patch: Text.nullish(),
  })
  .transform(
    (file): ChangedFile => ({
      ...{ path: file.filename, previousPath: file.previous_filename ?? null, status: file.status },
      ...{ additions: file.additions, deletions: file.deletions, patch: file.patch ?? null },
    }),
  );

export const Commit = z
  .object({
    sha: Text,
    commit: z.object({ message: Text, author: z.object({ name: Text.nullish() }).nullish() }),
    author: z.object({ login: Text.optional() }).nullish(),
  })
  .transform(
    ({ sha, commit, author }): PullCommit => ({
      ...{ sha, message: commit.message },
      author: author?.login ?? commit.author?.name ?? 'unknown',
    }),
  );

export const CheckRuns = z.object({
  check_runs: z.array(
    z.object({ name: Text, status: Text, conclusion: Text.nullish(), html_url: Text.nullish() }).transform(
      ({ name, status, conclusion, html_url }): CheckRun => ({
        ...{ name, status, conclusion: conclusion ?? null, url: html_url ?? null },
      }),
    ),
  ),
});

export const Compared = z.object({
  merge_base_commit: z.object({ sha: Text }),
  files: z.array(File).optional(),
});

export const Review = z.object({
  id: z.union([z.number(), z.bigint()]),
  html_url: Text,
  body: Text.nullish(),
});
