import * as z from 'zod';
import { Proposal } from '../../../core-wasm/core.ts';
import { defineTool } from './tool.ts';

export const proposeOrchestration = defineTool({
  name: 'propose_orchestration',
  description:
    "Proposes a team's plan for people to approve: roles (existing agents or new hires), tickets with their dependencies, optional research and discussion, synthesis, budget. Nothing starts until a person approves. Give orchestrationId to revise a proposal that was not decided yet.",
  input: Proposal.extend({
    orchestrationId: z.string().min(1).max(80).optional().describe('The proposal to revise'),
  }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'conversation',
  run: async ({ proposeOrchestration, origin }, { orchestrationId, ...proposal }) => {
    const { id, revision } = await proposeOrchestration(origin(), proposal, orchestrationId ?? null);
    return `Proposed as ${id}, revision ${revision}. It waits for a person to approve it.`;
  },
});
