import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Verdict as VerdictWord } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import type { FaultCode } from '../../kit/fault.ts';
import type { Place } from './anchor.ts';
import type { Axis } from './axes.ts';
import { CommitName } from './schema.ts';

/** What was found and judged at one head; never changed afterwards. */
export const reviewVerdicts = sqliteTable('reviewVerdicts', {
  id: text().primaryKey(),
  reviewId: text().notNull(),
  headSha: text().notNull(),
  verdict: text().$type<VerdictWord>().notNull(),
  /** What the findings alone give. */
  base: text().$type<VerdictWord>().notNull(),
  confidence: real().notNull(),
  /** SHA-256 of all that is published. */
  digest: text().notNull(),
  /** The findings that weighed in it, and where they stood. */
  findings: text({ mode: 'json' }).$type<{ id: string; place: Place | null }[]>().notNull(),
  axes: text({ mode: 'json' }).$type<Axis[]>().notNull(),
  dropped: integer().notNull(),
  summary: text().notNull(),
  messageId: text().notNull(),
  finalizedBy: text().$type<Actor>().notNull(),
  createdAt: integer().notNull(),
});
export type Verdict = typeof reviewVerdicts.$inferSelect;

/**
 * `asked` waits for a person; `pending` is on its way to the provider; `published` is there. `denied` by a rule, `refused` by
 * a person, `superseded` by a newer verdict, `stale` since the head moved on, `failed` for a reason that someone has to mend:
 * from each of these a person can still publish.
 */
export type PublicationState =
  | 'asked'
  | 'pending'
  | 'published'
  | 'denied'
  | 'refused'
  | 'superseded'
  | 'stale'
  | 'failed';

export interface PublicationFault {
  code: FaultCode;
  message: string;
  retryable: boolean;
}

/** The way of one verdict to the provider. */
export const reviewPublications = sqliteTable('reviewPublications', {
  id: text().primaryKey(),
  reviewId: text().notNull(),
  verdictId: text().notNull(),
  headSha: text().notNull(),
  state: text().$type<PublicationState>().notNull(),
  /** Why it is in this state, for people. */
  reason: text().notNull(),
  requestedBy: text().$type<Actor>().notNull(),
  approvalId: text(),
  /** When the provider was last asked to take it; its answer may have been lost. */
  attemptedAt: integer(),
  fault: text({ mode: 'json' }).$type<PublicationFault>(),
  providerId: text(),
  providerUrl: text(),
  createdAt: integer().notNull(),
  updatedAt: integer().notNull(),
});
export type Publication = typeof reviewPublications.$inferSelect;

export const Finalization = z.strictObject({
  /** The head that was looked at; the present one when left out. */
  headSha: CommitName.optional(),
  /** Markdown, what the reviewer wants to say beside the findings. */
  summary: z.string().max(20_000).default(''),
});
export type Finalization = z.infer<typeof Finalization>;

export const PublicationWish = z.strictObject({ headSha: CommitName.optional() });
export type PublicationWish = z.infer<typeof PublicationWish>;
