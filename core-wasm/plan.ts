import { z } from 'zod';
import { type DocumentRules, judgeDocument } from './document-validation.ts';
import { Goal, PROPOSAL_LIMITS, type Proposal, Slug, Text, Title } from './proposal.ts';
import type { ProposalFault } from './proposal-fault.ts';
import { fields, workFaults } from './work-graph.ts';

/** Micro-dollars that a plan may cost when it names no budget. */
export const DEFAULT_PLAN_BUDGET_MICROS = 5_000_000;

const PlanNode = z.strictObject({
  key: Slug.describe('Short slug: a-z, 0-9 and hyphens; unique in the plan'),
  title: Title,
  description: Text,
  needs: z.array(Slug).default([]).describe('Keys of the nodes that must be done before this one starts'),
});
export type PlanNode = z.infer<typeof PlanNode>;

/** What an agent submits: a goal and a graph of work that it would do itself. */
export const PlanDocument = z.strictObject({
  goal: Goal,
  nodes: z.array(PlanNode).min(1).max(PROPOSAL_LIMITS.tickets),
  budgetMicros: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe(`Cost budget in micro-dollars; ${DEFAULT_PLAN_BUDGET_MICROS} when left out`),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

/** What compiling adds to each of a thousand nodes and to the whole stays well below this. */
const COMPILED_BYTES = 1 << 16;

const RULES: DocumentRules<PlanDocument> = {
  noun: 'plan',
  schema: PlanDocument,
  textBytes: PROPOSAL_LIMITS.textBytes - COMPILED_BYTES,
  lists: { nodes: PROPOSAL_LIMITS.tickets },
  outline: (value) => workFaults(fields(value).nodes, { list: 'nodes', one: 'node' }),
};

/**
 * Reads a plan of unknown origin: the plan with its defaults filled in, or every fault with its path (`nodes[2].needs[0]`).
 * Never throws. A plan that passes compiles to a sound proposal.
 */
export function validatePlan(
  input: unknown,
): { ok: true; plan: PlanDocument } | { ok: false; faults: ProposalFault[] } {
  const judged = judgeDocument(input, RULES);
  return judged.ok ? { ok: true, plan: judged.document } : judged;
}

const ROLE = 'agent';
const SYNTHESIS =
  'Say what was done for each node of the plan, where it is, how it was checked, and what is left open.';

/**
 * The proposal that a sound plan stands for: one role, in which the agent of that name does every node and sums up. Pure.
 * @param plan.agent name of an agent of the workspace
 * @param plan.budgetMicros null for the default
 */
export function compilePlan(plan: PlanDocument & { agent: string }): Proposal {
  const { goal, nodes, agent, budgetMicros } = plan;
  return {
    goal,
    roles: [{ key: ROLE, title: agent, agent: { existing: agent } }],
    research: null,
    discussion: null,
    tickets: nodes.map(({ key, title, description, needs }) => {
      return { key, title, description, role: ROLE, needs: [...needs], outputSchema: null, references: [] };
    }),
    synthesis: { role: ROLE, brief: SYNTHESIS },
    budgetMicros: budgetMicros ?? DEFAULT_PLAN_BUDGET_MICROS,
  };
}

/** The plan that a proposal shows: of a compiled plan, the plan itself. */
export function planOf({ goal, tickets }: Proposal): { goal: string; nodes: PlanNode[] } {
  const nodes = tickets.map(({ key, title, description, needs }) => {
    return { key, title, description, needs: [...needs] };
  });
  return { goal, nodes };
}
