import * as z from 'zod';
import { Proposal } from '../../../core-wasm/core.ts';
import { defineTool } from './tool.ts';

const OrchestrationId = z.string().min(1).max(80).optional().describe('The proposal to revise');

export const proposeOrchestration = defineTool({
  name: 'propose_orchestration',
  description:
    "Proposes a team's plan for people to approve: roles (existing agents or new hires), tickets with their dependencies, optional research and discussion, synthesis, budget. Nothing starts until a person approves. Give orchestrationId to revise a proposal that was not decided yet.",
  // A proposal is judged as a whole, so that every fault of it, of form or of meaning, is told in one go.
  input: z.looseObject({ orchestrationId: OrchestrationId }),
  shownInput: Proposal.extend({ orchestrationId: OrchestrationId }),
  tier: 'read',
  effects: [],
  keyed: true,
  needs: 'conversation',
  run: async ({ proposeOrchestration, origin }, { orchestrationId, ...proposal }) => {
    const { id, revision } = await proposeOrchestration(origin(), proposal, orchestrationId ?? null);
    return `Proposed as ${id}, revision ${revision}. It waits for a person to approve it.`;
  },
});
