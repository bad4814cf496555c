import { canonicalJson } from './json.ts';

/** A `gate` waits until a person approves the ticket behind it. */
export type StepKind =
  | 'start'
  | 'research'
  | 'position'
  | 'gate'
  | 'ticket'
  | 'collect'
  | 'synthesis'
  | 'deliver';

export interface PipelineStep {
  /** start, research, position/<role>, gate/<ticket>, ticket/<key>, collect, synthesis or deliver. */
  key: string;
  kind: StepKind;
  title: string;
  /** Step keys, sorted with <. */
  needs: string[];
  role: string | null;
  agentId: string | null;
  /** Mode of the room that the step's agent works in; null where no agent works. */
  mode: 'review' | 'chat' | null;
  brief: string;
  /** Step keys whose outputs the step is given. */
  inputs: string[];
  outputSchema: Record<string, unknown> | null;
  /** Whether the step may simply run again after a crash. */
  idempotent: boolean;
  wave: number;
  /** Runs when its needs are settled, failed ones included. */
  tolerateFailure: boolean;
}

export interface Pipeline {
  version: 1;
  goal: string;
  budgetMicros: number;
  /** Topological order: by wave, then by key with <. */
  steps: PipelineStep[];
}

/** The fields in the order of their declaration, whatever the order in which the step's own were set. */
function stepJson(step: PipelineStep): string {
  const { key, kind, title, needs, role, agentId, mode, brief, inputs } = step;
  const head = JSON.stringify({ key, kind, title, needs, role, agentId, mode, brief, inputs });
  const { idempotent, wave, tolerateFailure } = step;
  const tail = JSON.stringify({ idempotent, wave, tolerateFailure });
  return `${head.slice(0, -1)},"outputSchema":${canonicalJson(step.outputSchema)},${tail.slice(1)}`;
}

/** The bytes of a pipeline: fields in the order of their declaration, open JSON with sorted keys. */
export function pipelineJson({ version, goal, budgetMicros, steps }: Pipeline): string {
  const head = JSON.stringify({ version, goal, budgetMicros });
  return `${head.slice(0, -1)},"steps":[${steps.map(stepJson).join(',')}]}`;
}
