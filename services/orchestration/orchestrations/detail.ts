import { estimate, estimateNodes, type Pipeline, type Proposal } from '../../../core-wasm/core.ts';
import type { Bench } from '../bench.ts';
import type { PipelineStatus } from '../pipelines/store.ts';
import { estimateBasis } from './estimate-basis.ts';
import {
  type BlastRadius,
  type OrchestrationDetail,
  orchestrationOf,
  type StepView,
} from './orchestration.ts';
import type { OrchestrationRow, Tokens } from './schema.ts';

const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** An orchestration with its proposal, estimate, steps and blast radius. */
export async function detailOf(bench: Bench, workspaceId: string, id: string): Promise<OrchestrationDetail> {
  const row = await bench.store.get(workspaceId, id);
  const proposal = await bench.revisions.proposal(workspaceId, id, row.approvedRevision ?? row.revision);
  const items = await bench.store.scaffoldItems(workspaceId, id);
  const { histories } = await estimateBasis(bench, workspaceId, row, proposal);
  return {
    ...orchestrationOf(row),
    proposal,
    estimate: estimate(estimateNodes(proposal), histories),
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
  const run = { workspaceId, runId: row.pipelineRunId };
  const status = (await bench.pipelines.run(run))?.status ?? null;
  return { steps: await stepViews(bench, run, pipeline, items), pipelineStatus: status };
}

async function stepViews(
  bench: Bench,
  run: { workspaceId: string; runId: string },
  pipeline: Pipeline,
  items: ReadonlyMap<string, string>,
): Promise<StepView[]> {
  const usage = await bench.pipelines.usage(run);
  const rows = new Map((await bench.pipelines.steps(run)).map((row) => [row.key, row]));
  return pipeline.steps.map(({ key, kind, title, role, agentId, needs }) => {
    const { state, attempt, startedAt, endedAt, error } = rows.get(key) ?? NOT_STARTED;
    const used = usage.get(key);
    return {
      ...{ key, kind, title, role, agentId, needs, state, attempt, startedAt, endedAt, error },
      runId: used?.runId ?? null,
      ticketId: items.get(key) ?? null,
      costMicros: used?.costMicros ?? null,
      tokens: used?.tokens ?? NO_TOKENS,
    };
  });
}

/** The template is there a moment before the run's rows. */
const NOT_STARTED = { state: 'blocked', attempt: 1, startedAt: null, endedAt: null, error: null } as const;
