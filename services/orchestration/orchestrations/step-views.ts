import type { Pipeline } from '../../../core-wasm/core.ts';
import type { Bench } from '../bench.ts';
import type { StepUsage } from '../pipelines/store.ts';
import type { RunStanding } from '../ports.ts';
import type { StepRun, StepView } from './orchestration.ts';
import type { Tokens } from './schema.ts';

const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
/** The template is there a moment before the run's rows. */
const NOT_STARTED = { state: 'blocked', attempt: 1, startedAt: null, endedAt: null, error: null } as const;

interface Site {
  workspaceId: string;
  orchestrationId: string;
  pipelineRunId: string;
}

/** Every step as it is now, with the run that works on it and what stands in that run's way. */
export async function stepViews(
  bench: Bench,
  { workspaceId, orchestrationId, pipelineRunId }: Site,
  pipeline: Pipeline,
  items: ReadonlyMap<string, string>,
): Promise<StepView[]> {
  const run = { workspaceId, runId: pipelineRunId };
  // Read before the ends that are on record: a run that ends in between is then known to have ended.
  const standings = await bench.runs(workspaceId).standings(orchestrationId);
  const byRun = new Map(standings.map((standing) => [standing.runId, standing]));
  const usage = await bench.pipelines.usage(run);
  const rows = new Map((await bench.pipelines.steps(run)).map((row) => [row.key, row]));
  return pipeline.steps.map(({ key, kind, title, role, agentId, needs }) => {
    const { state, attempt, startedAt, endedAt, error } = rows.get(key) ?? NOT_STARTED;
    const used = usage.get(key);
    const standing = used && !used.isOver ? byRun.get(used.runId) : undefined;
    return {
      ...{ key, kind, title, role, agentId, needs, state, attempt, startedAt, endedAt, error },
      ...{ runId: used?.runId ?? null, run: standing ? stepRunOf(standing) : null },
      ticketId: items.get(key) ?? null,
      ...spentBy(used, standing),
    };
  });
}

function stepRunOf({ runId, costMicros, tokens, ...shown }: RunStanding): StepRun {
  return { id: runId, ...shown };
}

/** What ended runs used, and the one at work until now. */
function spentBy(
  used: StepUsage | undefined,
  standing: RunStanding | undefined,
): Pick<StepView, 'costMicros' | 'tokens'> {
  if (!used) return { costMicros: null, tokens: NO_TOKENS };
  if (!standing) return { costMicros: used.costMicros, tokens: used.tokens };
  const [before, now] = [used.tokens, standing.tokens];
  const isUnknown = used.isUnknown || standing.costMicros === null;
  return {
    costMicros: isUnknown ? null : (used.costMicros ?? 0) + (standing.costMicros ?? 0),
    tokens: {
      input: before.input + now.input,
      output: before.output + now.output,
      cacheRead: before.cacheRead + now.cacheRead,
      cacheWrite: before.cacheWrite + now.cacheWrite,
    },
  };
}
