import { canonicalJson } from './json.ts';

export type StepKind = 'start' | 'research' | 'position' | 'ticket' | 'collect' | 'synthesis' | 'deliver';

export interface PipelineStep {
  /** start, research, position/<role>, ticket/<key>, collect, synthesis or deliver. */
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

const text = (value: string | number | boolean | null | readonly string[]): string => JSON.stringify(value);

function stepJson(step: PipelineStep): string {
  return [
    `{"key":${text(step.key)},"kind":${text(step.kind)},"title":${text(step.title)},"needs":${text(step.needs)}`,
    `"role":${text(step.role)},"agentId":${text(step.agentId)},"mode":${text(step.mode)},"brief":${text(step.brief)}`,
    `"inputs":${text(step.inputs)},"outputSchema":${canonicalJson(step.outputSchema)}`,
    `"idempotent":${text(step.idempotent)},"wave":${text(step.wave)},"tolerateFailure":${text(step.tolerateFailure)}}`,
  ].join(',');
}

/** The bytes of a pipeline: fields in the order of their declaration, open JSON with sorted keys. */
export function pipelineJson({ version, goal, budgetMicros, steps }: Pipeline): string {
  const head = `{"version":${version},"goal":${text(goal)},"budgetMicros":${budgetMicros}`;
  return `${head},"steps":[${steps.map(stepJson).join(',')}]}`;
}
