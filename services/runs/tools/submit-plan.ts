import * as z from 'zod';
import { PlanDocument } from '../../../core-wasm/core.ts';
import { defineTool } from './tool.ts';

const PlanId = z.string().min(1).max(80).optional().describe('The plan to revise');

export const submitPlan = defineTool({
  name: 'submit_plan',
  description:
    'Delivers the plan: the goal and the nodes of work with what each needs. The plan does not exist until this succeeds. Nothing starts until a person approves; then you do the nodes. Give planId to revise a plan that was not decided yet.',
  // A plan is judged as a whole, so that every fault of it, of form or of meaning, is told in one go.
  input: z.looseObject({ planId: PlanId }),
  shownInput: PlanDocument.extend({ planId: PlanId }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'conversation',
  run: async ({ submitPlan, origin }, { planId, ...plan }) => {
    const { id, revision } = await submitPlan(origin(), plan, planId ?? null);
    return `The plan is submitted as ${id}, revision ${revision}. It waits for a person to approve it.`;
  },
});
