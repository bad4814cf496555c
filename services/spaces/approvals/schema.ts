import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import { type EffectClass, RuleScope } from '../../../core-wasm/core.ts';
import { Actor } from '../../kit/actor.ts';
import { Id, JsonObject, Key, Markdown } from '../fields.ts';
import { WhenNobody } from '../spaces/schema.ts';

export const ApprovalKind = z.enum(['plan_exit', 'action', 'orchestration', 'question', 'skill_override']);
export type ApprovalKind = z.infer<typeof ApprovalKind>;

/** `unattended`: an action that was refused because nobody who may decide was connected; a person still may. */
export const ApprovalStatus = z.enum(['pending', 'unattended', 'approved', 'refused', 'superseded']);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

/** How far a yes to an action reaches: this call, its run, or every call that a rule allows. */
const Grant = z.enum(['once', 'run', 'rule']);
export type Grant = z.infer<typeof Grant>;

export interface Decision {
  reason?: string;
  answer?: string;
  /** The refusal asks for a revision. */
  changesRequested?: true;
}

/**
 * What each kind of approval asks, as its `arguments` have it: all that a person sees to decide it. Digests are taken of
 * them, so that a shape stays as it is once there are rows of it. `subject` is one line for people beside them.
 */
export interface ApprovalArguments {
  /** Answered with `answer` (or with `reason`); choices are suggestions. One about a budget has its text in `subject`. */
  question:
    | { question: string; choices: string[] }
    | { about: 'budget'; orchestrationId: string; capMicros: number; options: string[] };
  /** A call of a tool that waits for a word, or the publication of a review. */
  action: AskedCall | AskedPublication;
  /** A revision of a proposal, or of a plan; all of it is at the orchestration. */
  orchestration: { orchestrationId: string; revision: number; kind: 'orchestration' | 'plan' };
  /** What the agent means to do once its space has left plan mode. */
  plan_exit: { spaceId: string; summary: string };
  /** Nobody asks for one yet. */
  skill_override: Record<string, unknown>;
}

interface AskedCall {
  tool: string;
  /** Without the secrets in it. */
  input: unknown;
  /** Every effect that the call may have. */
  classes: EffectClass[];
  /** Those of them that need a word; the grant `rule` allows these. */
  asked: EffectClass[];
  /** Why a word is needed. */
  reason: string;
  /** A keyed hash of the exact input, where that is not shown as it is. */
  exact?: string;
}

interface AskedPublication {
  tool: 'publish_review';
  reviewId: string;
  headSha: string;
  verdict: string;
  /** How many. */
  findings: number;
  asked: EffectClass[];
}

export const approvals = sqliteTable('approvals', {
  id: text().primaryKey(),
  kind: text().$type<ApprovalKind>().notNull(),
  requester: text().$type<Actor>().notNull(),
  subject: text().notNull(),
  arguments: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  /** SHA-256 of the canonical JSON of kind and arguments, hexadecimal. */
  digest: text().notNull(),
  status: text().$type<ApprovalStatus>().notNull(),
  decidedBy: text().$type<Actor>(),
  decidedAt: integer(),
  decision: text({ mode: 'json' }).$type<Decision>(),
  grant: text().$type<Grant>(),
  runId: text(),
  /** The run at the root of a tree of sub-agents, where the request shows. */
  rootRunId: text(),
  spaceId: text(),
  conversationId: text(),
  createdAt: integer().notNull(),
  /** When it was refused for want of somebody who may decide; kept when it is decided later. */
  unattendedAt: integer(),
  /** What has used the yes up: the key of a call, a run, or a change of the space's mode. */
  consumedBy: text(),
  /** The commit that decided or superseded it. */
  closing: text(),
  key: text().notNull(),
});
const { key, unattendedAt, consumedBy, closing, ...columns } = getTableColumns(approvals);
export const APPROVAL_COLUMNS = columns;
export type Approval = Omit<typeof approvals.$inferSelect, 'key' | 'unattendedAt' | 'consumedBy' | 'closing'>;

export const NewApproval = z.strictObject({
  kind: ApprovalKind,
  requester: Actor.transform((text) => text as Actor),
  subject: Markdown.refine((text) => text.trim().length > 0, 'must not be blank'),
  arguments: JsonObject,
  runId: Id.nullable().default(null),
  rootRunId: Id.nullable().default(null),
  spaceId: Id.nullable().default(null),
  conversationId: Id.nullable().default(null),
  /** Looked at for an action alone: everything else waits. */
  whenNobody: WhenNobody.default('wait'),
  key: Key,
});
export type NewApproval = z.infer<typeof NewApproval>;

export const NewDecision = z
  .strictObject({
    decision: z.enum(['approved', 'refused', 'changesRequested']),
    /** What the person saw; a decision about anything else is refused. */
    digest: z.string().optional(),
    reason: Markdown.optional(),
    answer: Markdown.optional(),
    /** Of an action; `once` unless it is said. */
    grant: Grant.optional(),
    /** Where the rule of the grant `rule` holds; in the space unless it is said. */
    ruleScope: RuleScope.optional(),
  })
  .refine(({ decision, reason }) => decision !== 'changesRequested' || (reason ?? '').trim() !== '', {
    path: ['reason'],
    message: 'must say what is to be changed',
  })
  .refine(({ decision, grant }) => grant === undefined || decision === 'approved', {
    path: ['grant'],
    message: 'goes with an approval only',
  })
  .refine(({ grant, ruleScope }) => ruleScope === undefined || grant === 'rule', {
    path: ['ruleScope'],
    message: 'goes with the grant `rule` only',
  });
export type NewDecision = z.infer<typeof NewDecision>;

export const ApprovalFilter = z.object({ status: ApprovalStatus.optional(), runId: Id.optional() });
export type ApprovalFilter = z.infer<typeof ApprovalFilter>;

export const RunSupersession = z.strictObject({ runId: Id, planExit: z.boolean().default(false) });
export type RunSupersession = z.infer<typeof RunSupersession>;
