import type { StepResult } from '../engine/engine.ts';
import type { StepRow } from '../pipelines/store.ts';
import type { Integration } from '../ports.ts';
import {
  type CollectEntry,
  type CollectOutput,
  type StepOutput,
  type StepScope,
  startOutput,
} from './step-scope.ts';

/** Gathers every sub-ticket, failed ones as such, and merges the branches of those that are done. */
export async function collect(scope: StepScope): Promise<StepResult> {
  const { workspaceId, runId } = scope.context;
  const rows = new Map(
    (await scope.bench.pipelines.steps({ workspaceId, runId })).map((row) => [row.key, row]),
  );
  const titles = new Map(scope.pipeline.steps.map((step) => [step.key, step.title]));
  const entries = scope.step.inputs.map((key) => entryOf(scope, key, titles.get(key) ?? key, rows.get(key)));
  await closeFailedTickets(scope, entries, rows);
  // Gaps alone are no deliverable: a person decides what is to be tried again.
  if (entries.every((entry) => entry.status === 'failed'))
    return { kind: 'failed', message: 'No sub-ticket was done.' };
  const merged = await integrate(scope, entries);
  const output: CollectOutput = {
    entries: merged ? withConflicts(entries, merged) : entries,
    branch: merged?.branch ?? null,
    stat: merged?.stat ?? '',
  };
  if (merged) {
    await scope.bench.store.change(workspaceId, scope.orchestration.id, {
      label: 'orchestration.branch',
      set: { branch: merged.branch },
    });
  }
  return { kind: 'done', output };
}

function entryOf(scope: StepScope, key: string, title: string, row: StepRow | undefined): CollectEntry {
  const output = scope.outputs.get(key) as StepOutput | undefined;
  const ticketId = scope.tickets.get(key) ?? null;
  if (output) return { key, title, status: 'done', text: output.text, ticketId, branch: output.branch };
  return { key, title, status: 'failed', text: row?.error ?? 'There is no result.', ticketId, branch: null };
}

// A step can also fail before its body could say so on the ticket.
async function closeFailedTickets(
  scope: StepScope,
  entries: readonly CollectEntry[],
  rows: ReadonlyMap<string, StepRow>,
): Promise<void> {
  for (const { key, status, ticketId } of entries) {
    if (status === 'done' || !ticketId) continue;
    const isFailed = rows.get(key)?.state === 'failed';
    await scope.spaces.patchTicket(ticketId, { status: isFailed ? 'failed' : 'cancelled' });
  }
}

async function integrate(scope: StepScope, entries: readonly CollectEntry[]): Promise<Integration | null> {
  const { base, workSpaceId } = startOutput(scope);
  if (base === null) return null;
  const { orchestration, context } = scope;
  return scope.runs.integrate({
    key: `${context.key}/integration`,
    spaceId: workSpaceId,
    branch: `control-center/${orchestration.id}`,
    base,
    merge: entries.flatMap((entry) => entry.branch ?? []),
  });
}

/** A branch that could not be merged is said in its entry: the work is done, but not in the result. */
function withConflicts(entries: readonly CollectEntry[], { conflicts }: Integration): CollectEntry[] {
  const files = new Map(conflicts.map((conflict) => [conflict.branch, conflict.files]));
  return entries.map((entry) => {
    const conflicting = entry.branch === null ? undefined : files.get(entry.branch);
    if (!conflicting) return entry;
    const why = `NOT MERGED: branch ${entry.branch} conflicts with the others in ${conflicting.join(', ')}.`;
    return { ...entry, status: 'failed', text: `${why}\n\n${entry.text}` };
  });
}
