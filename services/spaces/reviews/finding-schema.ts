import { getTableColumns } from 'drizzle-orm';
import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Actor } from '../../kit/actor.ts';
import { Key } from '../fields.ts';
import { Colleague } from '../members/colleague.ts';
import { Anchor, type Place } from './anchor.ts';
import { CommitName } from './schema.ts';

export const FindingType = z.enum(['bug', 'suggestion', 'recommendation', 'question', 'ticket']);
export type FindingType = z.infer<typeof FindingType>;

export const PRIORITIES = ['P0', 'P1', 'P2', 'P3'] as const;
type Priority = (typeof PRIORITIES)[number];

const LONGEST = 20_000;
const Body = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(LONGEST, `must be ${LONGEST} characters at most`);

/** Why a person holds a finding for dealt with or wrong; it no longer weighs in a verdict, and stays. */
export interface Resolved {
  by: Actor;
  at: number;
  reason: string;
}

export const reviewFindings = sqliteTable('reviewFindings', {
  id: text().primaryKey(),
  reviewId: text().notNull(),
  type: text().$type<FindingType>().notNull(),
  /** 0 blocks a release, 3 is optional. */
  priority: integer().$type<0 | 1 | 2 | 3>().notNull(),
  confidence: real().notNull(),
  body: text().notNull(),
  /** The head that was looked at. */
  headSha: text().notNull(),
  /** As given; null for a note about the whole. */
  anchor: text({ mode: 'json' }).$type<Anchor>(),
  place: text({ mode: 'json' }).$type<Place>(),
  author: text().$type<Actor>().notNull(),
  /** The agents whose runs had it made: those above the author's run, where that was a sub-agent's. */
  onBehalfOf: text({ mode: 'json' }).$type<Actor[]>().notNull(),
  status: text().$type<'open' | 'consensusReady'>().notNull(),
  confirmedBy: text({ mode: 'json' }).$type<Actor[]>().notNull(),
  resolved: text({ mode: 'json' }).$type<Resolved>(),
  createdAt: integer().notNull(),
  version: integer().notNull(),
  key: text(),
});
const { key, ...columns } = getTableColumns(reviewFindings);
export const FINDING_COLUMNS = columns;
export type FindingRow = Omit<typeof reviewFindings.$inferSelect, 'key'>;

/** A finding as it is told: its priority by name. */
export type Finding = Omit<FindingRow, 'priority'> & { priority: Priority };

export function named({ priority, ...row }: FindingRow): Finding {
  return { ...row, priority: `P${priority}` };
}

/** Findings that gave no valid priority or confidence: only that there were some, and why. */
export const reviewDropped = sqliteTable('reviewDropped', {
  id: text().primaryKey(),
  reviewId: text().notNull(),
  author: text().$type<Actor>().notNull(),
  reasons: text({ mode: 'json' }).$type<string[]>().notNull(),
  createdAt: integer().notNull(),
  key: text(),
});
export type Dropped = Omit<typeof reviewDropped.$inferSelect, 'key'>;

/** Of a sub-agent: the agents whose runs are above its own. Its word is theirs too. */
const OnBehalfOf = z.array(Colleague).max(20).default([]);

export const NewFinding = z.strictObject({
  type: FindingType,
  /** Judged by `assessmentOf`, not here: a finding that is wrong in these is dropped and counted, not refused. */
  priority: z.unknown().optional(),
  confidence: z.unknown().optional(),
  body: Body,
  anchor: Anchor.nullable().default(null),
  /** The head that was looked at; the present one when left out. */
  headSha: CommitName.optional(),
  onBehalfOf: OnBehalfOf,
  key: Key.optional(),
});
export type NewFinding = z.infer<typeof NewFinding>;

export const Confirmation = z.strictObject({ onBehalfOf: OnBehalfOf });
export type Confirmation = z.infer<typeof Confirmation>;

export const Resolution = z.strictObject({ reason: Body });

export type Assessment =
  | { priority: FindingRow['priority']; confidence: number }
  | { priority: null; reasons: string[] };

/** Priority and confidence exactly as given, or why they cannot be used. Nothing is guessed or rounded. */
export function assessmentOf({
  priority,
  confidence,
}: Pick<NewFinding, 'priority' | 'confidence'>): Assessment {
  const index = PRIORITIES.indexOf(priority as Priority);
  const isSure = typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
  const reasons = [
    ...(index < 0 ? [`priority must be one of ${PRIORITIES.join(', ')}, not ${shown(priority)}`] : []),
    ...(isSure ? [] : [`confidence must be a number from 0 to 1, not ${shown(confidence)}`]),
  ];
  if (reasons.length > 0) return { priority: null, reasons };
  return { priority: index as FindingRow['priority'], confidence: confidence as number };
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : (JSON.stringify(value)?.slice(0, 60) ?? typeof value);
}
