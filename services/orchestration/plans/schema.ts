import * as z from 'zod';
import { ProposeInput } from '../orchestrations/schema.ts';

/** `goal`, `nodes` and `budgetMicros` are the plan document, judged by the core, which names every fault by path. */
export const PlanInput = ProposeInput.omit({ proposal: true, orchestrationId: true }).extend({
  goal: z.unknown(),
  nodes: z.unknown(),
  budgetMicros: z.unknown().optional(),
  /** Makes this a revision of a plan that is still proposed. */
  planId: ProposeInput.shape.orchestrationId,
});
export type PlanInput = z.infer<typeof PlanInput>;
