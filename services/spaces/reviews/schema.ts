import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Id, Key, Paging } from '../fields.ts';
import { SpaceRepository } from '../spaces/schema.ts';
import type { ChangedFile, CheckRun, PullCommit, PullFacts } from './pull-request-host.ts';
import { REPOSITORY } from './pull-url.ts';

/** A pull request under review, once in a workspace. */
export const reviews = sqliteTable('reviews', {
  id: text().primaryKey(),
  /** `owner/name`, compared without regard to case. */
  repository: text().notNull(),
  number: integer().notNull(),
  url: text().notNull(),
  spaceId: text().notNull(),
  title: text().notNull(),
  description: text().notNull(),
  author: text().notNull(),
  state: text().$type<PullFacts['state']>().notNull(),
  draft: integer({ mode: 'boolean' }).notNull(),
  baseRef: text().notNull(),
  baseSha: text().notNull(),
  /** The commit that the head grew from: the left side of the diff. */
  mergeBaseSha: text().notNull(),
  headRef: text().notNull(),
  headSha: text().notNull(),
  /** The newest verdict. */
  verdictId: text(),
  openedBy: text().$type<Actor>().notNull(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
  /** Grows with the head, the findings, the axes and the verdict alike. */
  version: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(reviews);
export const REVIEW_COLUMNS = columns;
export type Review = Omit<typeof reviews.$inferSelect, 'key'>;

/** What is looked at: the diff, commits and checks of the present head. */
export const reviewSnapshots = sqliteTable('reviewSnapshots', {
  reviewId: text().primaryKey(),
  headSha: text().notNull(),
  files: text({ mode: 'json' }).$type<ChangedFile[]>().notNull(),
  /** False when the provider names no more of the files than these. */
  filesComplete: integer({ mode: 'boolean' }).notNull(),
  commits: text({ mode: 'json' }).$type<PullCommit[]>().notNull(),
  /** Null when the token may not read them. */
  checks: text({ mode: 'json' }).$type<CheckRun[]>(),
});
export type Snapshot = Omit<typeof reviewSnapshots.$inferSelect, 'reviewId'>;

export const NewReview = z.strictObject({
  url: z.string().min(1).max(2_000),
  agents: z.array(Id).max(500).default([]),
  repositories: z.array(SpaceRepository).max(20).default([]),
  key: Key.optional(),
});
export type NewReview = z.infer<typeof NewReview>;

export const ReviewQuery = Paging.extend({ spaceId: Id.optional() });
export type ReviewQuery = z.infer<typeof ReviewQuery>;

export const CandidateQuery = z.object({
  repository: z.string().regex(REPOSITORY, 'must be owner/name'),
});

/** A commit, whole or by its first characters. */
export const CommitName = z
  .string()
  .regex(/^[0-9a-f]{7,40}$/, 'must be a commit: 7 to 40 characters of 0-9 and a-f');
