import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import * as z from 'zod';
import type { Mode } from '../../../core-wasm/core.ts';
import { Actor } from '../../kit/actor.ts';
import { BudgetScope, type BudgetStop, CapMicros } from '../budgets/schema.ts';
import type { TokenUsage } from '../harness/journal.ts';
import type { ErrorFamily, Liveness, RunOutput } from '../harness/outcome.ts';

const RUN_STATUSES = ['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const;
export const RunStatus = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof RunStatus>;

/**
 * Where a run stands with the scheduler: `queued` may be taken, `live` has a loop in the process that holds `epoch`,
 * `waiting` waits for a decision or a sub-agent, `paused` for a person, `ended` is over.
 */
export type RunPhase = 'queued' | 'live' | 'waiting' | 'paused' | 'ended';

export const Trigger = z.strictObject({
  kind: z.enum(['userMessage', 'assignment', 'pipelineStep', 'childCompleted', 'followUp', 'recovery']),
  id: z.string().min(1).max(200).nullable().default(null),
});
export type Trigger = z.infer<typeof Trigger>;

/** How the run's worktree is to be opened, when its conversation has none yet. */
export const WorktreeRequest = z.strictObject({
  base: z.string().min(1).max(250).optional(),
  merge: z.array(z.string().min(1).max(250)).max(1_000).optional(),
  branch: z.string().min(1).max(250).optional(),
});
export type WorktreeRequest = z.infer<typeof WorktreeRequest>;

export const CreateRun = z.strictObject({
  agentId: z.string().min(1).max(80),
  conversationId: z.string().min(1).max(80).nullish(),
  parentRunId: z.string().min(1).max(80).nullish(),
  trigger: Trigger,
  prompt: z.string().min(1).max(400_000),
  requestedBy: Actor.nullish(),
  outputSchema: z.record(z.string(), z.unknown()).nullish(),
  budgetScope: BudgetScope.nullish(),
  /** What it and its sub-agents may spend together; a cap of the service's or of every run holds besides. */
  capMicros: CapMicros.nullish(),
  worktree: WorktreeRequest.nullish(),
  /** Model answers it may take in all; else what its agent says, else 200. */
  maxTurns: z.number().int().min(1).max(1_000).nullish(),
  key: z.string().min(1).max(200).nullish(),
});
export type CreateRun = z.infer<typeof CreateRun>;
/** What only this service knows of a run to come. */
export interface NewRun extends CreateRun {
  causeRunId?: string | null;
}

/** A run as the API shows it. `costMicros` is null when a price was unknown. */
export interface Run {
  id: string;
  agentId: string;
  agentName: string;
  spaceId: string | null;
  conversationId: string | null;
  /** The run whose sub-agent this one is. */
  parentRunId: string | null;
  /** The run at the root of its tree; null for a root. */
  rootRunId: string | null;
  /** The run from which it goes on without being its sub-agent: that delegated its ticket, or asked what was decided. */
  causeRunId: string | null;
  /** Its own sub-agents, in the order of creation. */
  children: string[];
  trigger: Trigger;
  key: string | null;
  mode: Mode;
  profileVersion: number;
  adapter: string;
  model: string;
  status: RunStatus;
  liveness: Liveness;
  errorFamily: ErrorFamily | null;
  summary: string | null;
  output: RunOutput | null;
  tools: string[];
  tokens: TokenUsage;
  /** How much of all prompts came from the cache, from 0 to 1; null without a prompt. */
  cacheReadShare: number | null;
  costMicros: number | null;
  sandbox: string;
  branch: string | null;
  budgetScope: string | null;
  /** Of a run that is paused for its budget: which one stopped it. */
  budgetStop: BudgetStop | null;
  /** An approval, or a run: the sub-agent whose end is awaited. */
  waitingFor: string | null;
  maxTurns: number | null;
  /** Who wants it to stop after the call it is making, or has: it goes on when a person says so. */
  pauseRequestedBy: Actor | null;
  /** When a paused run goes on by itself. */
  resumeAt: number | null;
  /** Who has taken its conversation and working trees over. */
  takenOverBy: Actor | null;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

/** Since when a person holds a run's work, and what was in its working trees then. */
export interface Takeover {
  at: number;
  worktrees: HeldWorktree[];
}

/** `files`: a digest of each changed file's difference from `head`. */
export interface HeldWorktree {
  repository: string;
  path: string;
  branch: string;
  head: string;
  files: Record<string, string>;
}

export const runs = sqliteTable('runs', {
  id: text().primaryKey(),
  key: text(),
  agentId: text().notNull(),
  agentName: text().notNull(),
  spaceId: text(),
  conversationId: text(),
  parentRunId: text(),
  rootRunId: text(),
  causeRunId: text(),
  /** How far below its root; 0 for a root. */
  depth: integer().notNull().default(0),
  /** 1: held to the exit verb of its mode, if that has one. */
  hasContract: integer().notNull().default(1),
  triggerKind: text().$type<Trigger['kind']>().notNull(),
  triggerId: text(),
  prompt: text().notNull(),
  requestedBy: text(),
  outputSchema: text({ mode: 'json' }).$type<Record<string, unknown>>(),
  worktree: text({ mode: 'json' }).$type<WorktreeRequest>(),
  mode: text().$type<Mode>().notNull(),
  profileVersion: integer().notNull(),
  adapter: text().notNull(),
  model: text().notNull(),
  status: text().$type<RunStatus>().notNull(),
  phase: text().$type<RunPhase>().notNull(),
  liveness: text().$type<Liveness>().notNull(),
  errorFamily: text().$type<ErrorFamily>(),
  summary: text(),
  output: text({ mode: 'json' }).$type<RunOutput>(),
  tools: text({ mode: 'json' }).$type<string[]>().notNull(),
  inputTokens: integer().notNull().default(0),
  outputTokens: integer().notNull().default(0),
  cacheReadTokens: integer().notNull().default(0),
  cacheWriteTokens: integer().notNull().default(0),
  costMicros: integer().default(0),
  sandbox: text().notNull(),
  branch: text(),
  budgetScope: text(),
  /** Which budget stopped it last; stays when the run has gone on. */
  budgetStop: text({ mode: 'json' }).$type<BudgetStop>(),
  waitingFor: text(),
  maxTurns: integer(),
  /** Since when it waits or is paused. */
  parkedAt: integer(),
  pauseRequestedBy: text().$type<Actor>(),
  pauseRequestedAt: integer(),
  resumeAt: integer(),
  /** Pauses in a row for trouble of the model, since `troubleSince`, when the run had `troubleAnswers` answers. */
  resumeTries: integer().notNull().default(0),
  troubleSince: integer(),
  troubleAnswers: integer(),
  /** How often a server went down while the run was live with `crashEntries` entries in its journal. */
  crashes: integer().notNull().default(0),
  crashEntries: integer(),
  takenOverBy: text().$type<Actor>(),
  takenOver: text({ mode: 'json' }).$type<Takeover>(),
  cancelRequested: integer().notNull().default(0),
  epoch: integer().notNull().default(0),
  createdAt: integer().notNull(),
  startedAt: integer(),
  endedAt: integer(),
});
export type RunRow = typeof runs.$inferSelect;
