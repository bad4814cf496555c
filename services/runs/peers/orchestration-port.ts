import type { Actor } from '../../kit/actor.ts';

/** Where a plan or proposal comes from; `key` makes a repeated call return the first one's answer. */
export interface PlanOrigin {
  workspaceId: string;
  actor: Actor;
  spaceId: string;
  conversationId: string;
  runId: string;
  /** The person on whose word the agent works. */
  requestedBy: string | null;
  key: string;
}

/**
 * Puts a proposal, or a new revision of the named orchestration, before people. Whatever is given is judged there.
 * @throws Fault invalid_proposal with `detail.faults`, too_soon, wrong_status
 */
export type ProposeOrchestration = (
  origin: PlanOrigin,
  proposal: unknown,
  orchestrationId: string | null,
) => Promise<{ id: string; revision: number }>;

/**
 * Puts a plan document (`goal`, `nodes`, `budgetMicros`), or a new revision of the named plan, before people. Whatever is
 * given is judged there. @throws as `ProposeOrchestration`
 */
export type SubmitPlan = (
  origin: PlanOrigin,
  plan: Record<string, unknown>,
  planId: string | null,
) => Promise<{ id: string; revision: number }>;
