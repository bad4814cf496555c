import type { Actor } from '../../kit/actor.ts';
import type { Bench } from '../bench.ts';
import { checkProposal, editFaults, invalidProposal } from './check-proposal.ts';
import { published } from './publish.ts';
import { type Appended, append, movedOn, requireProposed } from './revision-rules.ts';
import type { OrchestrationRow, ReviseInput, RollbackInput } from './schema.ts';

/** A person's edit of the newest revision. @throws Fault stale_revision, invalid_proposal, wrong_status */
export function revise(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  id: string,
  input: ReviseInput,
): Promise<OrchestrationRow> {
  const { baseRevision, key = null } = input;
  return appendOnce(bench, workspaceId, id, { baseRevision, key }, async (row) => {
    const proposal = await checkProposal(input.proposal, bench.spaces(workspaceId));
    const faults = editFaults(await bench.revisions.proposal(workspaceId, id, row.revision), proposal);
    if (faults.length > 0) throw invalidProposal(faults);
    return { actor, proposal, origin: 'edited', rolledBackTo: null };
  });
}

/** Appends an older revision's proposal as the newest one. @throws Fault stale_revision, not_found, wrong_status */
export function rollBack(
  bench: Bench,
  workspaceId: string,
  actor: Actor,
  id: string,
  input: RollbackInput,
): Promise<OrchestrationRow> {
  const { baseRevision, to, key = null } = input;
  return appendOnce(bench, workspaceId, id, { baseRevision, key }, async () => {
    const older = await bench.revisions.proposal(workspaceId, id, to);
    const proposal = await checkProposal(older, bench.spaces(workspaceId));
    return { actor, proposal, origin: 'rolledBack', rolledBackTo: to };
  });
}

/** The revision that was made with this key, or a new one on top of `baseRevision`; published either way. */
async function appendOnce(
  bench: Bench,
  workspaceId: string,
  id: string,
  base: Pick<Appended, 'baseRevision' | 'key'>,
  make: (row: OrchestrationRow) => Promise<Omit<Appended, 'baseRevision' | 'key'>>,
): Promise<OrchestrationRow> {
  const { baseRevision, key } = base;
  if (key !== null && (await bench.store.findByKey(workspaceId, key))?.id === id)
    return bench.store.get(workspaceId, id);
  const row = await bench.store.get(workspaceId, id);
  requireProposed(row);
  if (row.revision !== baseRevision) throw movedOn(baseRevision, row.revision);
  await append(bench, workspaceId, row, { ...base, ...(await make(row)) });
  await published(bench, workspaceId, id);
  return bench.store.get(workspaceId, id);
}
