import type { Proposal } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import { deferredBy } from './part.ts';
import type { OrchestrationRow, OrchestrationStatus } from './schema.ts';
import { deferring, leavingOut, noLongerDeferred } from './store.ts';

const UNDER_WAY: readonly OrchestrationStatus[] = ['approved', 'executing'];

/**
 * A person approves sub-tickets that were put off, with all that they depend on.
 * @throws Fault wrong_status, already_decided, invalid_request that names what is unknown or missing
 */
export async function approveDeferred(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  tickets: readonly string[],
): Promise<void> {
  const row = await requireDeferred(bench, workspaceId, id, tickets);
  const keys = row.deferred.filter((key) => tickets.includes(key));
  const approved = await bench.store.change(workspaceId, id, {
    label: 'orchestration.approveDeferred',
    computed: { deferred: noLongerDeferred(keys) },
    from: UNDER_WAY,
    when: [deferring(keys)],
    event: { type: 'deferredApproved', actor: person, data: { tickets: keys } },
  });
  if (!approved) await refuse(bench, workspaceId, id, tickets);
}

/**
 * A person leaves a sub-ticket out that was put off: it is skipped once it would have been its turn, and what depends on it
 * goes on without. Gives false for one that is not deferred.
 */
export async function leaveOut(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  ticket: string,
): Promise<boolean> {
  return bench.store.change(workspaceId, id, {
    label: 'orchestration.leaveOut',
    computed: { deferred: noLongerDeferred([ticket]), leftOut: leavingOut(ticket) },
    from: UNDER_WAY,
    when: [deferring([ticket])],
    event: { type: 'leftOut', actor: person, data: { tickets: [ticket] } },
  });
}

async function requireDeferred(
  bench: Bench,
  workspaceId: string,
  id: string,
  tickets: readonly string[],
): Promise<OrchestrationRow> {
  const row = await bench.store.get(workspaceId, id);
  if (!UNDER_WAY.includes(row.status)) throw noneLeft(row);
  const proposal = await bench.revisions.proposal(workspaceId, id, row.approvedRevision ?? row.revision);
  deferredBy(proposal, [...decidedKeys(proposal, row), ...tickets]);
  const decided = tickets.filter((key) => !row.deferred.includes(key));
  if (decided.length > 0) throw decidedBefore(row, decided);
  return row;
}

function decidedKeys({ tickets }: Proposal, { deferred }: OrchestrationRow): string[] {
  return tickets.map(({ key }) => key).filter((key) => !deferred.includes(key));
}

/** Somebody was quicker: what they did says why. */
async function refuse(
  bench: Bench,
  workspaceId: string,
  id: string,
  tickets: readonly string[],
): Promise<never> {
  await requireDeferred(bench, workspaceId, id, tickets);
  throw new Fault('conflict', 'What is deferred changed in this moment. Look again and repeat it.');
}

function noneLeft({ id, status }: OrchestrationRow): Fault {
  const message = `Orchestration ${id} is ${status}; sub-tickets that were put off can be approved while it works.`;
  return new Fault('wrong_status', message, { status });
}

function decidedBefore({ id, leftOut, deferred }: OrchestrationRow, keys: readonly string[]): Fault {
  const shown = keys.map((key) => `${key} was ${leftOut.includes(key) ? 'left out' : 'approved'} before`);
  const rest = deferred.length > 0 ? deferred.join(', ') : 'nothing';
  return new Fault('already_decided', `${shown.join(', ')}; of ${id} ${rest} is still deferred.`, {
    decided: keys,
    deferred,
  });
}
