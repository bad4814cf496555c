import type { Proposal } from '../../../core-wasm/core.ts';
import { type Actor, Actor as ActorText, isPerson } from '../../kit/actor.ts';
import { Fault, hasFaultCode } from '../../kit/fault.ts';
import { newId } from '../../kit/id.ts';
import type { Bench } from '../bench.ts';
import { requireOrigin } from '../origin.ts';
import { checkProposal, editFaults, invalidProposal } from './check-proposal.ts';
import { publish } from './publish.ts';
import type { OrchestrationRow, ProposeInput, ReviseInput, RollbackInput } from './schema.ts';
import type { NewRevision } from './store.ts';

/** Revisions that an agent starts come at most this often. */
const AGENT_REVISION_INTERVAL_MS = 120_000;

/** A new orchestration, or a revision of one that is still proposed; the same key gives the same one. */
export async function propose(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  input: ProposeInput,
): Promise<OrchestrationRow> {
  const known = input.key ? await bench.store.findByKey(workspaceId, input.key) : null;
  const id = known?.id ?? (await write(bench, workspaceId, actor, input));
  await published(bench, workspaceId, id);
  return bench.store.get(workspaceId, id);
}

async function write(bench: Bench, workspaceId: string, actor: Actor, input: ProposeInput): Promise<string> {
  try {
    return input.orchestrationId
      ? await reviseByAuthor(bench, workspaceId, actor, input, input.orchestrationId)
      : await insert(bench, workspaceId, actor, input);
  } catch (error) {
    // Two calls with one key in the same moment: the other one's row is this one's answer.
    const winner =
      input.key && hasFaultCode(error, 'conflict') && (await bench.store.findByKey(workspaceId, input.key));
    if (winner) return winner.id;
    throw error;
  }
}

async function insert(bench: Bench, workspaceId: string, actor: Actor, input: ProposeInput): Promise<string> {
  const proposal = await checkProposal(input.proposal, bench.spaces(workspaceId));
  await requireOrigin(bench, workspaceId, input);
  const row = newRow(actor, input, proposal, bench.clock());
  await bench.store.insert(workspaceId, row, proposal);
  return row.id;
}

function newRow(actor: Actor, input: ProposeInput, proposal: Proposal, at: number): OrchestrationRow {
  const requestedBy = input.requestedBy ? (ActorText.parse(input.requestedBy) as Actor) : null;
  return {
    ...{ id: newId('orc', at), key: input.key ?? null, goal: proposal.goal, status: 'proposed', revision: 1 },
    ...{ approvedRevision: null, publishedRevision: 0, proposedBy: actor, runId: input.runId ?? null },
    requestedBy: requestedBy ?? (isPerson(actor) ? actor : null),
    ...{
      spaceId: input.spaceId,
      conversationId: input.conversationId,
      messageId: null,
      parentTicketId: null,
    },
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
  input: ProposeInput,
  id: string,
): Promise<string> {
  const row = await bench.store.get(workspaceId, id);
  if (!isPerson(actor) && actor !== row.proposedBy) {
    throw new Fault('forbidden', `Only ${row.proposedBy}, which proposed it, or a person may revise ${id}.`);
  }
  requireProposed(row);
  if (!isPerson(actor)) requireQuiet(row, bench.clock());
  const proposal = await checkProposal(input.proposal, bench.spaces(workspaceId));
  await append(bench, workspaceId, row, {
    ...{ actor, proposal, baseRevision: input.baseRevision ?? row.revision, key: input.key ?? null },
    ...{ origin: 'proposed', rolledBackTo: null },
  });
  return id;
}

/** A person's edit of the newest revision. @throws Fault stale_revision, invalid_proposal, wrong_status */
export async function revise(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  id: string,
  input: ReviseInput,
): Promise<OrchestrationRow> {
  if (input.key && (await bench.store.findByKey(workspaceId, input.key))?.id === id) {
    return bench.store.get(workspaceId, id);
  }
  const row = await atBase(bench, workspaceId, id, input.baseRevision);
  const proposal = await checkProposal(input.proposal, bench.spaces(workspaceId));
  const faults = editFaults(await bench.store.proposal(workspaceId, id, row.revision), proposal);
  if (faults.length > 0) throw invalidProposal(faults);
  const { baseRevision, key = null } = input;
  await append(bench, workspaceId, row, {
    ...{ actor, proposal, baseRevision, key, origin: 'edited', rolledBackTo: null },
  });
  await published(bench, workspaceId, id);
  return bench.store.get(workspaceId, id);
}

/** Appends an older revision's proposal as the newest one. @throws Fault stale_revision, not_found, wrong_status */
export async function rollBack(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  id: string,
  input: RollbackInput,
): Promise<OrchestrationRow> {
  if (input.key && (await bench.store.findByKey(workspaceId, input.key))?.id === id) {
    return bench.store.get(workspaceId, id);
  }
  const row = await atBase(bench, workspaceId, id, input.baseRevision);
  const older = await bench.store.proposal(workspaceId, id, input.to);
  const proposal = await checkProposal(older, bench.spaces(workspaceId));
  const { baseRevision, to, key = null } = input;
  await append(bench, workspaceId, row, {
    ...{ actor, proposal, baseRevision, key, origin: 'rolledBack', rolledBackTo: to },
  });
  await published(bench, workspaceId, id);
  return bench.store.get(workspaceId, id);
}

type Appended = Pick<NewRevision, 'proposal' | 'baseRevision' | 'key' | 'origin' | 'rolledBackTo'> & {
  actor: Actor;
};

async function append(
  bench: Bench,
  workspaceId: string,
  row: OrchestrationRow,
  input: Appended,
): Promise<void> {
  const { actor, ...rest } = input;
  const appended = await bench.store.appendRevision(workspaceId, {
    ...{ ...rest, orchestrationId: row.id, revision: input.baseRevision + 1, author: actor },
    noAgentRevisionAfter: isPerson(actor) ? null : bench.clock() - AGENT_REVISION_INTERVAL_MS,
  });
  if (appended) return;
  const now = await bench.store.get(workspaceId, row.id);
  requireProposed(now);
  if (now.revision !== input.baseRevision) throw movedOn(input.baseRevision, now.revision);
  requireQuiet(now, bench.clock());
  throw movedOn(input.baseRevision, now.revision);
}

async function atBase(
  bench: Bench,
  workspaceId: string,
  id: string,
  base: number,
): Promise<OrchestrationRow> {
  const row = await bench.store.get(workspaceId, id);
  requireProposed(row);
  if (row.revision !== base) throw movedOn(base, row.revision);
  return row;
}

/** Publishes in the lane; what a passing failure leaves undone is pursued in the background. */
export async function published(bench: Bench, workspaceId: string, id: string): Promise<void> {
  const lane = `${workspaceId}/${id}`;
  try {
    await bench.lanes.run(lane, () => publish(bench, workspaceId, id));
  } catch (error) {
    bench.lanes.pursue(lane, () => publish(bench, workspaceId, id));
    throw error;
  }
}

function requireProposed(row: OrchestrationRow): void {
  if (row.status === 'proposed') return;
  throw new Fault(
    'wrong_status',
    `Orchestration ${row.id} is ${row.status}, so its proposal can no longer change. Propose a new one instead.`,
    { status: row.status },
  );
}

export function movedOn(base: number, present: number): Fault {
  return new Fault(
    'stale_revision',
    `The plan moved on: this is based on revision ${base}, the newest is ${present}. Load it and repeat the change there.`,
    { baseRevision: base, revision: present },
  );
}

function requireQuiet(row: OrchestrationRow, at: number): void {
  const quietAt = row.lastAgentRevisionAt === null ? 0 : row.lastAgentRevisionAt + AGENT_REVISION_INTERVAL_MS;
  if (quietAt <= at) return;
  const secondsLeft = Math.ceil((quietAt - at) / 1000);
  throw new Fault(
    'too_soon',
    `Wait ${secondsLeft} s before you revise again: one revision in two minutes. Group your changes into one.`,
    { secondsLeft },
  );
}
