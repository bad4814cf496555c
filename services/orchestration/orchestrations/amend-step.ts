import type { Actor } from '../../kit/actor.ts';
import { Fault } from '../../kit/fault.ts';
import type { Bench } from '../bench.ts';
import { pursue } from './advance.ts';
import { leaveOut } from './deferred.ts';
import type { OrchestrationRow } from './schema.ts';
import { failedWith } from './store.ts';

/** What the later steps can do without. */
const SKIPPABLE = ['research', 'position', 'ticket'];

/** A failed or parked step again; an orchestration that failed with it is under way again. @throws Fault wrong_status */
export async function retryStep(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  key: string,
): Promise<void> {
  await reopened(bench, workspaceId, person, id, (runId) => bench.engine.retry({ workspaceId, runId }, key));
}

/**
 * A failed or parked step, or a sub-ticket that is deferred, named by its step or its gate, is given up; the rest goes on
 * without it.
 * @throws Fault not_found, wrong_status
 */
export async function skipStep(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  key: string,
): Promise<void> {
  await bench.store.get(workspaceId, id);
  const ticket = /^(?:gate|ticket)\/(.+)$/.exec(key)?.[1];
  if (ticket !== undefined && (await leaveOut(bench, workspaceId, person, id, ticket))) {
    pursue(bench, workspaceId, id);
    return;
  }
  const step = (await bench.pipelines.template(workspaceId, id))?.steps.find((one) => one.key === key);
  if (step?.kind === 'gate') throw gateIsOpen(key);
  // What is no step at all is the engine's to refuse.
  if (step && !SKIPPABLE.some((kind) => key === kind || key.startsWith(`${kind}/`))) {
    throw new Fault('wrong_status', `Without step ${key} there is no deliverable; it can only be retried.`, {
      step: key,
    });
  }
  await reopened(bench, workspaceId, person, id, (runId) => bench.engine.skip({ workspaceId, runId }, key));
}

function gateIsOpen(key: string): Fault {
  const ticket = key.replace('gate/', '');
  const message = `Sub-ticket ${ticket} was approved or left out before, or the work is over; a gate alone is not skipped.`;
  return new Fault('wrong_status', message, { step: key });
}

async function reopened(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  id: string,
  amend: (runId: string) => Promise<void>,
): Promise<void> {
  await bench.lanes.run(`${workspaceId}/${id}`, async () => {
    const row = await bench.store.get(workspaceId, id);
    const runId = requireAmendable(row);
    if (row.status === 'failed') await reopen(bench, workspaceId, person, row);
    // Should the engine refuse, the next advance finds the pipeline still failed and ends the orchestration again.
    try {
      await amend(runId);
    } finally {
      pursue(bench, workspaceId, id);
    }
  });
}

async function reopen(
  bench: Bench,
  workspaceId: string,
  person: Actor,
  row: OrchestrationRow,
): Promise<void> {
  await bench.store.change(workspaceId, row.id, {
    label: 'orchestration.reopen',
    set: { status: 'executing', failureCode: null, failureMessage: null, settled: false },
    from: ['failed'],
    when: [failedWith('pipeline_failed')],
    event: { type: 'executing', actor: person, data: { reopened: true } },
  });
  if (row.parentTicketId)
    await bench.spaces(workspaceId).patchTicket(row.parentTicketId, { status: 'inProgress' });
}

function requireAmendable(row: OrchestrationRow): string {
  const isUnderWay = row.status === 'executing' || row.status === 'synthesizing';
  const hasFailedWork = row.status === 'failed' && row.failureCode === 'pipeline_failed';
  if (row.pipelineRunId && (isUnderWay || hasFailedWork)) return row.pipelineRunId;
  throw new Fault(
    'wrong_status',
    `Orchestration ${row.id} is ${row.status}; no step of it can be retried or skipped.`,
    {
      status: row.status,
    },
  );
}
