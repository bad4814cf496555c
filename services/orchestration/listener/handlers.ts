import * as z from 'zod';
import type { WorkspaceEvent } from '../../kit/database/event-log.ts';
import type { Bench } from '../bench.ts';
import { pursue } from '../orchestrations/advance.ts';
import { applyBudgetAnswer, askForBudget } from '../orchestrations/budget.ts';
import { applyDecision } from '../orchestrations/decide.ts';

type Handler = (bench: Bench, workspaceId: string, event: WorkspaceEvent) => Promise<void>;

/** What this service does about the events of others and of its engine. Each may be told of the same event again. */
export const HANDLERS: Readonly<Record<string, Handler>> = {
  'run.ended': onRunEnded,
  'run.paused': onRunPaused,
  'approval.decided': onApprovalDecided,
  'pipeline.completed': onPipelineEnded,
  'pipeline.failed': onPipelineEnded,
  'pipeline.cancelled': onPipelineEnded,
};

const Count = z.number().int().nonnegative();
const Ended = z.object({
  status: z.string(),
  errorFamily: z.string().nullable().default(null),
  summary: z.string().nullable().default(null),
  costMicros: Count.nullable().default(null),
  /** With all its sub-agents; events of the first version do not have it. */
  treeCostMicros: Count.nullable().optional(),
  tokens: z.object({ input: Count, output: Count, cacheRead: Count, cacheWrite: Count }),
  output: z.object({ text: z.string(), value: z.unknown() }).nullable().default(null),
  trigger: z.object({ kind: z.string(), id: z.string().nullable() }),
});

async function onRunEnded(bench: Bench, workspaceId: string, event: WorkspaceEvent): Promise<void> {
  const { trigger, treeCostMicros, ...own } = Ended.parse(event.data);
  const end = { ...own, costMicros: treeCostMicros === undefined ? own.costMicros : treeCostMicros };
  if (trigger.kind !== 'pipelineStep' || trigger.id === null) return;
  const slash = trigger.id.indexOf('/');
  const run = { workspaceId, runId: trigger.id.slice(0, slash) };
  if (slash < 0 || !(await bench.pipelines.run(run))) return;
  await bench.pipelines.recordUsage(run, trigger.id.slice(slash + 1), event.subject, end);
  await bench.engine.signal(run, event.subject, end);
}

async function onRunPaused(bench: Bench, workspaceId: string, event: WorkspaceEvent): Promise<void> {
  if (event.data.errorFamily === 'budget') await askForBudget(bench, workspaceId, event.subject);
}

const Decided = z.object({
  kind: z.string(),
  arguments: z.object({ orchestrationId: z.string(), about: z.string().optional() }),
});

async function onApprovalDecided(bench: Bench, workspaceId: string, event: WorkspaceEvent): Promise<void> {
  const decided = Decided.safeParse(event.data);
  if (!decided.success) return;
  const { kind, arguments: about } = decided.data;
  const id = about.orchestrationId;
  if (kind === 'orchestration') await applyDecision(bench, workspaceId, id, event.subject);
  else if (kind === 'question' && about.about === 'budget') {
    await applyBudgetAnswer(bench, workspaceId, id, event.subject);
  } else return;
  if (await bench.store.find(workspaceId, id)) pursue(bench, workspaceId, id);
}

async function onPipelineEnded(bench: Bench, workspaceId: string, event: WorkspaceEvent): Promise<void> {
  if (typeof event.data.orchestrationId === 'string') pursue(bench, workspaceId, event.data.orchestrationId);
}
