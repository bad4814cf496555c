import type {
  OrchestrationDetail,
  StepView,
} from '../../../services/orchestration/orchestrations/orchestration.ts';
import type { Run } from '../../../services/runs/runs/schema.ts';
import type { JobState } from './job.ts';

/** Something that only a person can move, and the commands that do. */
export interface WaitingItem {
  kind:
    | 'question'
    | 'action'
    | 'plan_exit'
    | 'skill_override'
    | 'proposal'
    | 'revision'
    | 'deferred'
    | 'run'
    | 'step';
  id: string;
  subject: string;
  commands: string[];
}

/** Everything of a job that waits for a person. */
export function waitingItems(state: JobState): WaitingItem[] {
  const { orchestration, approvals, paused } = state;
  const parked = (orchestration?.steps ?? []).filter((step) => step.state === 'parked');
  return [
    ...(orchestration?.status === 'proposed' ? [proposalItem(orchestration)] : []),
    ...approvals.flatMap(({ id, kind, subject }): WaitingItem[] =>
      kind === 'orchestration' ? [] : [{ kind, id, subject, commands: decideCommands(id, kind) }],
    ),
    ...paused.map(({ id, agentName, summary, errorFamily }): WaitingItem => {
      const subject = `${agentName} is paused: ${summary ?? errorFamily ?? 'no reason was recorded'}`;
      return { kind: 'run', id, subject, commands: [`cctl runs resume ${id}`, `cctl runs cancel ${id}`] };
    }),
    ...deferredItems(orchestration),
    ...parked.map((step) => stepItem(orchestration?.id ?? '', step)),
  ];
}

/** The commands that decide an approval of a kind. */
export function decideCommands(id: string, kind: string): string[] {
  if (kind === 'question') return [`cctl decide ${id} approve --answer TEXT`];
  const both = [`cctl decide ${id} approve`, `cctl decide ${id} refuse --reason TEXT`];
  return kind === 'plan_exit' ? [...both, `cctl decide ${id} changes --reason TEXT`] : both;
}

/** The newest run that is nobody's sub-agent. */
export function lastRun(runs: readonly Run[]): Run | null {
  const roots = runs.filter((run) => run.parentRunId === null);
  return roots.reduce<Run | null>((last, run) => (last === null || isNewer(run, last) ? run : last), null);
}

function isNewer(run: Run, than: Run): boolean {
  return run.createdAt === than.createdAt ? run.id > than.id : run.createdAt > than.createdAt;
}

/** Whether a person asked for changes of the revision that stands, so that the agent is to make another. */
export function awaitsRevision({ status, revision, changesRequestedRevision }: OrchestrationDetail): boolean {
  return status === 'proposed' && changesRequestedRevision === revision;
}

function proposalItem(orchestration: OrchestrationDetail): WaitingItem {
  const { id, goal } = orchestration;
  const reject = `cctl reject ${id} --reason TEXT`;
  if (awaitsRevision(orchestration)) return { kind: 'revision', id, subject: goal, commands: [reject] };
  const commands = [`cctl approve ${id}`, `cctl request-changes ${id} --reason TEXT`, reject];
  return { kind: 'proposal', id, subject: goal, commands };
}

/** Sub-tickets of which it is the turn, but for a person's approval. */
function deferredItems(orchestration: OrchestrationDetail | null): WaitingItem[] {
  const gates = orchestration?.steps.filter(isClosedGate) ?? [];
  if (orchestration === null || gates.length === 0) return [];
  const { id } = orchestration;
  const keys = gates.map(({ key }) => key.replace('gate/', '')).join(',');
  const commands = [
    `cctl approve-deferred ${id} --tickets ${keys}`,
    ...gates.map(({ key }) => `cctl steps skip ${id} ${key}`),
  ];
  return [{ kind: 'deferred', id, subject: `${keys.replaceAll(',', ', ')} of ${id}`, commands }];
}

function isClosedGate({ kind, state }: StepView): boolean {
  return kind === 'gate' && state === 'waiting';
}

function stepItem(orchestrationId: string, { key, error }: StepView): WaitingItem {
  const subject = `step ${key} of ${orchestrationId}: ${error ?? 'it may have taken effect'}`;
  const commands = ['retry', 'skip'].map((verb) => `cctl steps ${verb} ${orchestrationId} ${key}`);
  return { kind: 'step', id: key, subject, commands };
}

/** Whether anything of a job goes on without a person. */
export function isMoving(state: JobState): boolean {
  const { orchestration, approvals, paused, runs } = state;
  const held = new Set(approvals.flatMap(({ runId, rootRunId }) => [runId, rootRunId]));
  for (const { id } of paused) held.add(id);
  if (orchestration !== null && orchestration.status !== 'proposed') return doStepsMove(orchestration, held);
  const hasBegun = runs.length > 0 || orchestration !== null;
  return !hasBegun || runs.some((run) => isAtWork(run) && !held.has(run.id));
}

// A run that waits for its sub-agent says so; the sub-agent is a run of the conversation as well.
function isAtWork({ status, liveness }: Run): boolean {
  return status === 'queued' || (status === 'running' && liveness !== 'waiting');
}

/** Steps stand still when there is one that a person holds up and none that goes on; before and after them, work does. */
function doStepsMove(
  { steps, pipelineStatus }: OrchestrationDetail,
  held: ReadonlySet<string | null>,
): boolean {
  if (pipelineStatus === 'suspended') return false;
  const isHeld = (step: StepView) => isClosedGate(step) || (step.runId !== null && held.has(step.runId));
  const underWay = steps.filter(({ state }) => ['ready', 'running', 'waiting'].includes(state));
  if (underWay.some((step) => !isHeld(step))) return true;
  return underWay.length === 0 && !steps.some(({ state }) => state === 'parked');
}
