import { type Actor, isPerson } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import { requirePossible } from './check-proposal.ts';
import { deferredBy, deferredByAnswer, partAnswer } from './part.ts';
import { published } from './publish.ts';
import { movedOn } from './revision-rules.ts';
import type { ApproveInput, ChangesInput, OrchestrationRow } from './schema.ts';
import { atRevision, without } from './store.ts';

/**
 * A person approves exactly this revision, or the named sub-tickets of it and the others later. The approval's row decides among several people; the orchestration then takes
 * the decision over, here or, after a crash between the two, in the listener.
 * @throws Fault stale_revision, already_decided, wrong_status, conflict (an agent that came or went), invalid_request (a
 * part that lacks what it depends on)
 */
export async function approve(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  { revision, tickets }: ApproveInput,
): Promise<void> {
  const row = await decidable(bench, workspaceId, id);
  if (row.revision !== revision) throw movedOn(revision, row.revision);
  if (row.changesRequestedRevision !== null) throw sentBack(row);
  const proposal = await bench.revisions.proposal(workspaceId, id, revision);
  const deferred = tickets ? deferredBy(proposal, tickets) : [];
  await requirePossible(proposal, bench.spaces(workspaceId));
  const words = deferred.length > 0 ? { answer: partAnswer(proposal, deferred) } : {};
  await decide(bench, workspaceId, person, row, 'approved', words);
  if (await admit(bench, workspaceId, id, { revision, person, deferred })) return;
  const now = await bench.store.get(workspaceId, id);
  if (now.revision !== revision) throw movedOn(revision, now.revision);
  // The listener may have been quicker with the same decision.
  if (now.approvedRevision !== revision) throw decidedAlready(now);
}

/** A person turns the proposal down, or gives up on the changes that were asked for; the orchestration ends. */
export async function reject(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  reason: string,
): Promise<void> {
  const row = await decidable(bench, workspaceId, id);
  if (row.changesRequestedRevision === null)
    await decide(bench, workspaceId, person, row, 'refused', { reason });
  if (await turnDown(bench, workspaceId, id, row.revision, person, reason)) return;
  const now = await bench.store.get(workspaceId, id);
  if (now.revision !== row.revision) throw movedOn(row.revision, now.revision);
}

/**
 * A person sends the newest revision back to its author: nothing can be approved until there is another one.
 * @throws Fault stale_revision, already_decided, wrong_status
 */
export async function requestChanges(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  { reason, revision: seen }: ChangesInput,
): Promise<void> {
  const row = await decidable(bench, workspaceId, id);
  const { revision } = row;
  if (seen !== undefined && seen !== revision) throw movedOn(seen, revision);
  if (row.changesRequestedRevision !== null) throw sentBack(row);
  await decide(bench, workspaceId, person, row, 'changesRequested', { reason });
  if (await sendBack(bench, workspaceId, id, revision, person, reason)) return;
  const now = await bench.store.get(workspaceId, id);
  if (now.revision !== revision) throw movedOn(revision, now.revision);
  // The listener may have been quicker with the same decision.
  if (now.changesRequestedRevision !== revision) throw decidedAlready(now);
}

async function decidable(bench: Bench, workspaceId: string, id: string): Promise<OrchestrationRow> {
  const row = await bench.store.get(workspaceId, id);
  if (row.status !== 'proposed') throw decidedAlready(row);
  if (row.publishedRevision >= row.revision) return row;
  await published(bench, workspaceId, id);
  return bench.store.get(workspaceId, id);
}

async function decide(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  row: OrchestrationRow,
  decision: 'approved' | 'refused' | 'changesRequested',
  words: { reason?: string; answer?: string },
): Promise<void> {
  if (!row.approvalId)
    throw new Fault('internal', `Orchestration ${row.id} was published without an approval.`);
  const spaces = bench.spaces(workspaceId);
  const { digest, status } = await spaces.getApproval(row.approvalId);
  // Superseded between the two reads: a newer revision is on its way.
  if (status === 'superseded') throw movedOn(row.revision, row.revision + 1);
  await spaces.decideApproval(person, row.approvalId, { decision, digest, ...words });
}

function decidedAlready(row: OrchestrationRow): Fault {
  const code = row.status === 'approved' || row.status === 'cancelled' ? 'already_decided' : 'wrong_status';
  return new Fault(code, `This was decided before: it is ${row.status}.`, {
    status: row.status,
  });
}

function sentBack({ id, revision }: OrchestrationRow): Fault {
  return new Fault(
    'already_decided',
    `Changes were requested of revision ${revision} of ${id}. Wait for the next one, edit it, or roll it back: each makes a revision that can be approved.`,
    { status: 'proposed', changesRequestedRevision: revision },
  );
}

/** Proposed → approved, of this revision only; the work is then done on the word of whoever asked for it or approved it. */
async function admit(
  bench: Bench,
  workspaceId: string,
  id: string,
  { revision, person, deferred }: { revision: number; person: Actor; deferred: string[] },
): Promise<boolean> {
  const { requestedBy } = await bench.store.get(workspaceId, id);
  return bench.store.change(workspaceId, id, {
    label: 'orchestration.approve',
    set: { status: 'approved', approvedRevision: revision, requestedBy: requestedBy ?? person, deferred },
    from: ['proposed'],
    when: [atRevision(revision), without('changesRequestedRevision')],
    event: {
      type: 'approved',
      actor: person,
      data: { revision, ...(deferred.length > 0 ? { deferred } : {}) },
    },
  });
}

/** Proposed → cancelled, of this revision only. */
function turnDown(
  bench: Bench,
  workspaceId: string,
  id: string,
  revision: number,
  person: Actor,
  reason: string,
): Promise<boolean> {
  return bench.store.change(workspaceId, id, {
    label: 'orchestration.reject',
    set: { status: 'cancelled', failureCode: 'rejected', failureMessage: reason },
    from: ['proposed'],
    when: [atRevision(revision)],
    event: { type: 'cancelled', actor: person, data: { reason, rejected: true } },
  });
}

/** Stays proposed; the row says that this revision is to be changed. */
function sendBack(
  bench: Bench,
  workspaceId: string,
  id: string,
  revision: number,
  person: Actor,
  reason: string,
): Promise<boolean> {
  return bench.store.change(workspaceId, id, {
    label: 'orchestration.requestChanges',
    set: { changesRequestedRevision: revision, changesRequestedReason: reason },
    from: ['proposed'],
    when: [atRevision(revision), without('changesRequestedRevision')],
    event: { type: 'changesRequested', actor: person, data: { status: 'proposed', revision, reason } },
  });
}

/** Any status that is not an end → cancelled; steps in flight are stopped at once. */
export async function cancel(bench: Bench, workspaceId: string, actor: Actor, id: string): Promise<void> {
  const changed = await bench.store.change(workspaceId, id, {
    label: 'orchestration.cancel',
    set: { status: 'cancelled', failureCode: null, failureMessage: null },
    from: ['proposed', 'approved', 'executing', 'synthesizing'],
    event: { type: 'cancelled', actor, data: {} },
  });
  const now = await bench.store.get(workspaceId, id);
  if (!changed && now.status !== 'cancelled') {
    throw new Fault(
      'wrong_status',
      `Orchestration ${id} is ${now.status}; there is nothing left to cancel.`,
      {
        status: now.status,
      },
    );
  }
  if (now.pipelineRunId) await bench.engine.cancel({ workspaceId, runId: now.pipelineRunId });
}

/** A decision that was taken in the inbox, on the approval that this service made for the newest revision. */
export async function applyDecision(
  bench: Bench,
  workspaceId: string,
  id: string,
  approvalId: string,
): Promise<void> {
  let row = await bench.store.find(workspaceId, id);
  if (row?.status !== 'proposed') return;
  if (row.publishedRevision < row.revision) await published(bench, workspaceId, id);
  row = await bench.store.get(workspaceId, id);
  // Any agent can ask for an approval with these arguments; only the one made here counts.
  if (row.approvalId !== approvalId) return;
  const approval = await bench.spaces(workspaceId).getApproval(approvalId);
  const { decidedBy, status, decision } = approval;
  if (!decidedBy || !isPerson(decidedBy)) return;
  if (status === 'approved') {
    const proposal = await bench.revisions.proposal(workspaceId, id, row.revision);
    const deferred = deferredByAnswer(proposal, decision?.answer);
    await admit(bench, workspaceId, id, { revision: row.revision, person: decidedBy, deferred });
  }
  if (status !== 'refused') return;
  const reason = decision?.reason ?? 'Refused in the inbox.';
  const apply = decision?.changesRequested ? sendBack : turnDown;
  await apply(bench, workspaceId, id, row.revision, decidedBy, reason);
}
