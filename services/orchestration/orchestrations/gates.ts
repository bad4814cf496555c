import type { Bench } from '../bench.ts';
import type { RunRef } from '../engine/engine.ts';
import type { GateDecision } from '../steps/gate.ts';
import { patchCard } from './publish.ts';
import type { OrchestrationRow } from './schema.ts';

/**
 * Tells the gates of the pipeline what people decided since: the sub-tickets behind them are open, or left out. The signals
 * come last, so that what a crash cut off is found again by the gates that have none. May be repeated.
 */
export async function openGates(bench: Bench, workspaceId: string, row: OrchestrationRow): Promise<void> {
  if (row.status !== 'executing' || !row.pipelineRunId) return;
  const run = { workspaceId, runId: row.pipelineRunId };
  const decided = await undeliveredKeys(bench, run, row);
  if (decided.length === 0) return;
  const opened = decided.filter((key) => !row.leftOut.includes(key));
  await openTickets(bench, workspaceId, row.id, opened);
  await patchCard(bench, workspaceId, row.id);
  await Promise.all(
    decided.map((key) => {
      const decision: GateDecision = { leftOut: row.leftOut.includes(key) };
      return bench.engine.signal(run, `gate/${key}`, decision);
    }),
  );
}

/** Keys of the tickets behind gates that are decided about and have not been told. */
async function undeliveredKeys(
  { pipelines }: Bench,
  run: RunRef,
  { id, deferred }: OrchestrationRow,
): Promise<string[]> {
  const steps = (await pipelines.template(run.workspaceId, id))?.steps ?? [];
  const gates = steps.filter((step) => step.kind === 'gate').map(({ key }) => key.slice('gate/'.length));
  const decided = gates.filter((key) => !deferred.includes(key));
  if (decided.length === 0) return [];
  const told = await pipelines.signalledGates(run);
  return decided.filter((key) => !told.has(`gate/${key}`));
}

// A ticket waits in the backlog as long as it is deferred, unless somebody has moved it since.
async function openTickets(
  bench: Bench,
  workspaceId: string,
  id: string,
  keys: readonly string[],
): Promise<void> {
  const items = await bench.store.scaffoldItems(workspaceId, id);
  const spaces = bench.spaces(workspaceId);
  for (const key of keys) {
    const ticketId = items.get(`ticket/${key}`);
    if (ticketId && (await spaces.getTicket(ticketId)).status === 'backlog')
      await spaces.patchTicket(ticketId, { status: 'open' });
  }
}
