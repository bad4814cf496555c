import * as z from 'zod';
import type { StepResult } from '../engine/engine.ts';
import type { StepScope } from './step-scope.ts';

/** What a person decided of a deferred sub-ticket: it is done after all, or left out. */
export const GateDecision = z.object({ leftOut: z.boolean() });
export type GateDecision = z.infer<typeof GateDecision>;

/** Waits, however long, until a person decides about the sub-ticket behind it; the decision is the output. */
export async function gate({ context, step }: StepScope): Promise<StepResult> {
  if (!context.received) return { kind: 'suspend', gate: step.key };
  return { kind: 'done', output: GateDecision.parse(context.received.payload) };
}

/** Whether a person left out the sub-ticket of this step instead of opening its gate. */
export function isLeftOut({ step, outputs }: StepScope): boolean {
  const key = step.needs.find((need) => need.startsWith('gate/'));
  return key !== undefined && GateDecision.parse(outputs.get(key)).leftOut;
}
