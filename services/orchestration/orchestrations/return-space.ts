import { hasFaultCode } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import type { SpaceFacts } from '../ports.ts';
import type { OrchestrationRow } from './schema.ts';

/**
 * Approving a plan takes its space out of plan mode, once: whatever mode people give it afterwards stays. Safe to call at
 * any time and any number of times.
 */
export async function returnSpace(bench: Bench, workspaceId: string, id: string): Promise<void> {
  const row = await bench.store.get(workspaceId, id);
  if (row.kind !== 'plan' || row.approvedRevision === null || row.spaceReturned) return;
  await leavePlanMode(bench, workspaceId, row);
  await bench.store.change(workspaceId, id, {
    label: 'orchestration.spaceReturned',
    set: { spaceReturned: true },
  });
}

/** The version that a try is made on is recorded before it, so that a try of unknown outcome is not taken for a new one. */
async function leavePlanMode(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  const spaces = bench.spaces(workspaceId);
  let unsureOf = row.spaceReturnVersion;
  for (;;) {
    const space = await spaces.getSpace(row.spaceId);
    if (isDone(space, unsureOf)) return;
    unsureOf = null;
    await bench.store.change(workspaceId, row.id, {
      label: 'orchestration.returnSpace',
      set: { spaceReturnVersion: space.version },
    });
    try {
      return await spaces.setSpaceMode(row.spaceId, { mode: 'chat', version: space.version });
    } catch (error) {
      // Refused for certain: somebody changed the space in this moment, perhaps only its name.
      if (!hasFaultCode(error, 'conflict')) throw error;
    }
  }
}

/**
 * A try on version n that succeeded made version n + 1, in chat. A space in plan mode at a later version may have been put
 * back there by a person.
 */
function isDone({ mode, version }: SpaceFacts, unsureOf: number | null): boolean {
  return mode !== 'plan' || (unsureOf !== null && version > unsureOf + 1);
}
