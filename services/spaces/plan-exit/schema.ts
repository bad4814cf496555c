import * as z from 'zod';
import { Id, Markdown } from '../fields.ts';

export const NewPlanExit = z.strictObject({
  runId: Id,
  /** The run at the root of a tree of sub-agents, where the request shows. */
  rootRunId: Id.nullable().default(null),
  conversationId: Id,
  /** What the plan comes to, for whoever decides. */
  summary: Markdown.refine((text) => text.trim().length > 0, 'must not be blank'),
});
export type NewPlanExit = z.infer<typeof NewPlanExit>;

export interface PlanExit {
  /** `pending`: the gate waits for a person; `left`: the space is in chat mode now, by this call. */
  state: 'pending' | 'left' | 'notInPlan';
  /** The gate that waits, or whose yes was used. */
  approvalId: string | null;
  /** Why the gate before this one was refused, if it was. */
  reason: string | null;
}
