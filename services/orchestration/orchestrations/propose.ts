import type { Proposal } from '../../../core-wasm/core.ts';
import { type Actor, Actor as ActorText, isPerson } from '../../kit/actor.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { Bench } from '../bench.ts';
import { requireOrigin } from '../origin.ts';
import { checkProposal } from './check-proposal.ts';
import { applyDecision } from './decide.ts';
import { published } from './publish.ts';
import { append, heldForMs, requireProposed, requireQuiet } from './revision-rules.ts';
import type { OrchestrationKind, OrchestrationRow, ProposeInput } from './schema.ts';

/** What is put before people, whichever tool it came from. */
export interface Draft extends Omit<ProposeInput, 'proposal'> {
  kind: OrchestrationKind;
  /** Reads and judges the proposal; `revised` is the row that it becomes a revision of, null for a new one. */
  proposal(revised: OrchestrationRow | null): Promise<Proposal>;
}

/** A new orchestration, or a revision of one that is still proposed; the same key gives the same one. */
export function propose(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  { proposal, ...origin }: ProposeInput,
): Promise<OrchestrationRow> {
  const check = () => checkProposal(proposal, bench.spaces(workspaceId));
  return submit(bench, workspaceId, actor, { ...origin, kind: 'orchestration', proposal: check });
}

/** @throws Fault invalid_proposal, not_found, invalid_request, forbidden, wrong_status, stale_revision, too_soon */
export async function submit(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  draft: Draft,
): Promise<OrchestrationRow> {
  const known = draft.key ? await bench.store.findByKey(workspaceId, draft.key) : null;
  const id = known?.id ?? (await write(bench, workspaceId, actor, draft));
  await published(bench, workspaceId, id);
  return bench.store.get(workspaceId, id);
}

async function write(bench: Bench, workspaceId: string, actor: Actor, draft: Draft): Promise<string> {
  try {
    return draft.orchestrationId
      ? await reviseByAuthor(bench, workspaceId, actor, draft, draft.orchestrationId)
      : await insert(bench, workspaceId, actor, draft);
  } catch (error) {
    // Two calls with one key in the same moment: the other one's row is this one's answer.
    const winner =
      draft.key && hasFaultCode(error, 'conflict') && (await bench.store.findByKey(workspaceId, draft.key));
    if (winner) return winner.id;
    throw error;
  }
}

async function insert(bench: Bench, workspaceId: string, actor: Actor, draft: Draft): Promise<string> {
  await requireOrigin(bench, workspaceId, draft);
  const proposal = await draft.proposal(null);
  const row = newRow(actor, draft, proposal, bench.clock());
  await bench.store.insert(workspaceId, row, proposal);
  return row.id;
}

function newRow(actor: Actor, draft: Draft, proposal: Proposal, at: number): OrchestrationRow {
  const requestedBy = draft.requestedBy ? (ActorText.parse(draft.requestedBy) as Actor) : null;
  const { kind, spaceId, conversationId } = draft;
  return {
    ...{ id: newId('orc', at), kind, key: draft.key ?? null, goal: proposal.goal, status: 'proposed' },
    ...{ revision: 1, approvedRevision: null, publishedRevision: 0 },
    ...{ changesRequestedRevision: null, changesRequestedReason: null, deferred: [], leftOut: [] },
    ...{ proposedBy: actor, runId: draft.runId ?? null },
    requestedBy: requestedBy ?? (isPerson(actor) ? actor : null),
    ...{ spaceId, conversationId, messageId: null, parentTicketId: null },
    ...{ spaceReturned: false, spaceReturnVersion: null },
    ...{ approvalId: null, budgetApprovalId: null, projectId: null, teamId: null, pipelineRunId: null },
    ...{ discussionSpaceId: null, workSpaceId: null, budgetMicros: proposal.budgetMicros, spentMicros: 0 },
    ...{ appliedBudgetMicros: null, costUnknown: false, deliverable: null, gaps: null, branch: null },
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    ...{ failureCode: null, failureMessage: null, settled: false, lastAgentRevisionAt: null },
    ...{ createdAt: at, updatedAt: at, version: 1 },
  };
}

async function reviseByAuthor(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  draft: Draft,
  id: string,
): Promise<string> {
  const row = await revisable(bench, workspaceId, actor, id);
  if (row.kind !== draft.kind) throw otherKind(row);
  const proposal = await draft.proposal(row);
  await append(bench, workspaceId, row, {
    ...{ actor, proposal, baseRevision: draft.baseRevision ?? row.revision, key: draft.key ?? null },
    ...{ origin: 'proposed', rolledBackTo: null },
  });
  return id;
}

async function revisable(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  id: string,
): Promise<OrchestrationRow> {
  const row = await bench.store.get(workspaceId, id);
  if (!isPerson(actor) && actor !== row.proposedBy) {
    throw new Fault('forbidden', `Only ${row.proposedBy}, which proposed it, or a person may revise ${id}.`);
  }
  requireProposed(row);
  if (isPerson(actor) || heldForMs(row, bench.clock()) === 0) return row;
  // A person may have asked for this very revision in the inbox, a moment before its event is handled here.
  if (row.approvalId) await applyDecision(bench, workspaceId, id, row.approvalId);
  const now = await bench.store.get(workspaceId, id);
  requireProposed(now);
  requireQuiet(now, bench.clock());
  return now;
}

function otherKind({ id, kind }: OrchestrationRow): Fault {
  const tool = kind === 'plan' ? 'submit_plan' : 'propose_orchestration';
  return new Fault(
    'invalid_request',
    `${id} is ${kind === 'plan' ? 'a plan' : 'an orchestration'}; revise it with ${tool}.`,
    { kind },
  );
}
