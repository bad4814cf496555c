import * as z from 'zod';
import { defineTool } from './tool.ts';

const Node = z.strictObject({
  key: z.string().min(1).max(64).describe('Short slug: a-z, 0-9, hyphens; unique in the plan'),
  title: z.string().trim().min(1).max(300),
  description: z.string().trim().min(1).max(100_000),
  needs: z
    .array(z.string().min(1).max(64))
    .max(1_000)
    .default([])
    .describe('Keys of the nodes it depends on'),
});

export const submitPlan = defineTool({
  name: 'submit_plan',
  description:
    'Delivers the plan: the goal and the nodes of work with what each depends on. The plan does not exist until this succeeds.',
  input: z.strictObject({
    goal: z.string().trim().min(1).max(8_000),
    nodes: z.array(Node).min(1).max(1_000),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'conversation',
  run: async ({ submitPlan, origin }, plan) => {
    const { id } = await submitPlan(origin(), plan);
    return `The plan is submitted (${id}) and waits for people to look at it.`;
  },
});
