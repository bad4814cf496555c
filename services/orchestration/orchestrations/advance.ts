import { Fault, hasFaultCode } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import { isPassing } from '../lanes.ts';
import { applyBudget } from './budget.ts';
import { openGates } from './gates.ts';
import { patchCard, publish } from './publish.ts';
import { returnSpace } from './return-space.ts';
import { scaffold } from './scaffold.ts';
import { finish, settle } from './settle.ts';

/**
 * Brings an orchestration as far as it can go by itself, from whatever a crash or an event left. Safe to call at any time
 * and any number of times; runs in the orchestration's lane.
 */
async function advance(bench: Bench, workspaceId: string, id: string): Promise<void> {
  await publish(bench, workspaceId, id);
  await showSentBack(bench, workspaceId, id);
  await returnSpaceOrSay(bench, workspaceId, id);
  await scaffoldOrFail(bench, workspaceId, id);
  await openGates(bench, workspaceId, await bench.store.get(workspaceId, id));
  await applyBudget(bench, workspaceId, await bench.store.get(workspaceId, id));
  await finish(bench, workspaceId, await bench.store.get(workspaceId, id));
  await settle(bench, workspaceId, await bench.store.get(workspaceId, id));
}

/** Goes on in the background, until done or given up with an error in the log. */
export function pursue(bench: Bench, workspaceId: string, id: string): void {
  bench.lanes.pursue(`${workspaceId}/${id}`, () => advance(bench, workspaceId, id));
}

async function showSentBack(bench: Bench, workspaceId: string, id: string): Promise<void> {
  const { status, changesRequestedRevision } = await bench.store.get(workspaceId, id);
  if (status === 'proposed' && changesRequestedRevision !== null) await patchCard(bench, workspaceId, id);
}

// A space that cannot be changed must not hold up the work that a person approved.
async function returnSpaceOrSay(bench: Bench, workspaceId: string, id: string): Promise<void> {
  try {
    await returnSpace(bench, workspaceId, id);
  } catch (error) {
    if (isPassing(error)) throw error;
    bench.log.error({ err: error, orchestrationId: id }, 'the space of an approved plan stays in plan mode');
  }
}

async function scaffoldOrFail(bench: Bench, workspaceId: string, id: string): Promise<void> {
  try {
    await scaffold(bench, workspaceId, id);
  } catch (error) {
    if (isPassing(error)) throw error;
    // A person ended it in the middle; what follows closes what was made.
    const { status } = await bench.store.get(workspaceId, id);
    if (hasFaultCode(error, 'cancelled') && status !== 'approved') return;
    const message = error instanceof Error ? error.message : String(error);
    bench.log.error({ err: error, orchestrationId: id }, 'the orchestration could not be set up');
    await bench.store.change(workspaceId, id, {
      label: 'orchestration.fail',
      set: {
        status: 'failed',
        failureCode: error instanceof Fault ? error.code : 'internal',
        failureMessage: message,
      },
      from: ['approved'],
      event: { type: 'failed', actor: 'service:orchestration', data: { message } },
    });
  }
}
