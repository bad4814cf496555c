import { type DocumentRules, judgeDocument } from './document-validation.ts';
import { PROPOSAL_LIMITS, Proposal } from './proposal.ts';
import type { ProposalFault } from './proposal-fault.ts';
import { outlineFaults } from './proposal-outline.ts';

const RULES: DocumentRules<Proposal> = {
  noun: 'proposal',
  schema: Proposal,
  textBytes: PROPOSAL_LIMITS.textBytes,
  lists: { tickets: PROPOSAL_LIMITS.tickets, roles: PROPOSAL_LIMITS.roles },
  outline: outlineFaults,
};

/** Reads a proposal of unknown origin, as `judgeDocument` does. Never throws. */
export function validateProposal(
  input: unknown,
): { ok: true; proposal: Proposal } | { ok: false; faults: ProposalFault[] } {
  const judged = judgeDocument(input, RULES);
  return judged.ok ? { ok: true, proposal: judged.document } : judged;
}
