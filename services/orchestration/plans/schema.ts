import * as z from 'zod';
import { ProposeInput } from '../orchestrations/schema.ts';

/** Beside these fields stands the plan document, which the core judges, so that every fault of it is named in one go. */
export const PlanInput = z.looseObject({
  ...ProposeInput.omit({ proposal: true, orchestrationId: true }).shape,
  /** Makes this a revision of a plan that is still proposed. */
  planId: ProposeInput.shape.orchestrationId,
});
export type PlanInput = z.infer<typeof PlanInput>;
