import type { Proposal } from '../../../core-wasm/core.ts';
import type { Bench } from '../bench.ts';
import type { PipelineStatus } from '../pipelines/store.ts';
import { estimateBasis } from './estimate-basis.ts';
import { knownEstimate } from './known-estimates.ts';
import {
  type BlastRadius,
  type OrchestrationDetail,
  orchestrationOf,
  type StepView,
} from './orchestration.ts';
import type { OrchestrationRow } from './schema.ts';
import { withSpending } from './spending.ts';
import { stepViews } from './step-views.ts';

/** An orchestration with its proposal, estimate, steps and blast radius. */
export async function detailOf(bench: Bench, workspaceId: string, id: string): Promise<OrchestrationDetail> {
  const row = await bench.store.get(workspaceId, id);
  const proposal = await bench.revisions.proposal(workspaceId, id, row.approvedRevision ?? row.revision);
  const items = await bench.store.scaffoldItems(workspaceId, id);
  const { histories } = await estimateBasis(bench, workspaceId, row, proposal);
  const [spent = row] = await withSpending(bench, workspaceId, [row]);
  return {
    ...orchestrationOf(spent),
    proposal,
    estimate: knownEstimate(proposal, histories),
    blastRadius: blastRadiusOf(proposal),
    ...(await progressOf(bench, workspaceId, row, items)),
  };
}

function blastRadiusOf({ tickets }: Proposal): BlastRadius {
  const declared = tickets.filter((ticket) => ticket.references.length > 0).length;
  return {
    tickets: Object.fromEntries(
      tickets.map(({ key, references }) => [key, references.length > 0 ? references : null]),
    ),
    declared,
    unknown: tickets.length - declared,
  };
}

async function progressOf(
  bench: Bench,
  workspaceId: string,
  row: OrchestrationRow,
  items: ReadonlyMap<string, string>,
): Promise<{ steps: StepView[]; pipelineStatus: PipelineStatus | null }> {
  const pipeline = await bench.pipelines.template(workspaceId, row.id);
  if (!row.pipelineRunId || !pipeline) return { steps: [], pipelineStatus: null };
  const site = { workspaceId, orchestrationId: row.id, pipelineRunId: row.pipelineRunId };
  const status = (await bench.pipelines.run({ workspaceId, runId: row.pipelineRunId }))?.status ?? null;
  return { steps: await stepViews(bench, site, pipeline, items), pipelineStatus: status };
}
