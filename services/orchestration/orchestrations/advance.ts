import { Fault } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import { isPassing } from '../lanes.ts';
import { applyBudget } from './budget.ts';
import { publish } from './publish.ts';
import { scaffold } from './scaffold.ts';
import { finish, settle } from './settle.ts';

/**
 * Brings an orchestration as far as it can go by itself, from whatever a crash or an event left. Safe to call at any time
 * and any number of times; runs in the orchestration's lane.
 */
async function advance(bench: Bench, workspaceId: string, id: string): Promise<void> {
  await publish(bench, workspaceId, id);
  await scaffoldOrFail(bench, workspaceId, id);
  await applyBudget(bench, workspaceId, await bench.store.get(workspaceId, id));
  await finish(bench, workspaceId, await bench.store.get(workspaceId, id));
  await settle(bench, workspaceId, await bench.store.get(workspaceId, id));
}

/** Goes on in the background, until done or given up with an error in the log. */
export function pursue(bench: Bench, workspaceId: string, id: string): void {
  bench.lanes.pursue(`${workspaceId}/${id}`, () => advance(bench, workspaceId, id));
}

async function scaffoldOrFail(bench: Bench, workspaceId: string, id: string): Promise<void> {
  try {
    await scaffold(bench, workspaceId, id);
  } catch (error) {
    if (isPassing(error)) throw error;
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
