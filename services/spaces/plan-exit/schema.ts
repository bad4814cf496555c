import * as z from 'zod';
import { Id, Markdown } from '../fields.ts';

export const NewPlanExit = z.strictObject({
  runId: Id,
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
