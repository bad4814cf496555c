import {
  compilePlan,
  type PlanDocument,
  type PlanNode,
  type Proposal,
  planOf,
  validatePlan,
} from '../../../core-wasm/core.ts';
import { type Actor, actorId, isPerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import { isDefaultBudget } from '../orchestrations/card.ts';
import { checkProposal, invalidProposal } from '../orchestrations/check-proposal.ts';
import { type Orchestration, orchestrationOf } from '../orchestrations/orchestration.ts';
import { submit } from '../orchestrations/propose.ts';
import type { OrchestrationRow } from '../orchestrations/schema.ts';
import { withSpending } from '../orchestrations/spending.ts';
import type { PlanInput } from './schema.ts';

/** A plan as its agent wrote it and people changed it; in all else it is the orchestration of the same id. */
export type Plan = Orchestration & { nodes: PlanNode[]; budgetIsDefault: boolean };

/**
 * A new plan, or a revision of one that is still proposed, put before people; the same key gives the same one.
 * @throws Fault invalid_proposal with every fault by path, and all that `submit` throws
 */
export async function submitPlan(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  input: PlanInput,
): Promise<Plan> {
  const { spaceId, conversationId, runId, requestedBy, baseRevision, key, planId, ...document } = input;
  const checked = validatePlan(document);
  if (!checked.ok) throw invalidProposal(checked.faults, 'plan');
  const row = await submit(bench, workspaceId, actor, {
    ...{ spaceId, conversationId, runId, requestedBy, baseRevision, key },
    kind: 'plan',
    orchestrationId: planId ?? null,
    proposal: (revised) => compiled(bench, workspaceId, actor, spaceId, checked.plan, revised),
  });
  return viewOf(bench, workspaceId, row);
}

/** A revision that names no budget keeps the one before. */
async function compiled(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  spaceId: string,
  plan: PlanDocument,
  revised: OrchestrationRow | null,
): Promise<Proposal> {
  const spaces = bench.spaces(workspaceId);
  const before = revised && (await bench.revisions.proposal(workspaceId, revised.id, revised.revision));
  const agent = await agentFor(bench, workspaceId, actor, revised?.spaceId ?? spaceId);
  const budgetMicros = plan.budgetMicros ?? before?.budgetMicros ?? null;
  return checkProposal(compilePlan({ ...plan, agent, budgetMicros }), spaces);
}

/** The name of the agent that is to do the plan: the one that submits it; of a person's, the first of its space. */
async function agentFor(bench: Bench, workspaceId: string, actor: Actor, spaceId: string): Promise<string> {
  const spaces = bench.spaces(workspaceId);
  const isAgent = actor.startsWith('agent:');
  const id = isAgent ? actorId(actor) : (await spaces.getSpace(spaceId)).agents[0];
  const agent = (await spaces.listAgents()).find((known) => known.id === id);
  if (agent) return agent.name;
  if (isAgent) throw new Fault('not_found', `There is no agent ${id} in this workspace to do the plan.`);
  const who = isPerson(actor) ? 'a person' : 'a service';
  throw new Fault(
    'invalid_request',
    `A plan of ${who} is done by the first agent of its space, and ${spaceId} has none. Add one.`,
  );
}

export async function getPlan(bench: Bench, workspaceId: string, id: string): Promise<Plan> {
  const row = await bench.store.find(workspaceId, id);
  if (row?.kind === 'plan') return viewOf(bench, workspaceId, row);
  throw new Fault('not_found', `There is no plan ${JSON.stringify(id)} in this workspace.`);
}

async function viewOf(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<Plan> {
  const revision = row.approvedRevision ?? row.revision;
  const proposal = await bench.revisions.proposal(workspaceId, row.id, revision);
  const [spent = row] = await withSpending(bench, workspaceId, [row]);
  return { ...orchestrationOf(spent), ...planOf(proposal), budgetIsDefault: isDefaultBudget(row) };
}
