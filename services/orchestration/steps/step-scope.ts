import type { Pipeline, PipelineStep } from '../../../core-wasm/core.ts';
import type { Actor } from '../../kit/actor.ts';
import type { Bench } from '../bench.ts';
import type { StepContext, StepResult } from '../engine/engine.ts';
import type { OrchestrationRow } from '../orchestrations/schema.ts';
import type { RunsPort, SpacesPort } from '../ports.ts';

/** What a step leaves for those after it; `text` is whole, the cut is made where it is read. */
export interface StepOutput {
  text: string;
  value: unknown;
  /** The ticket with the whole text as a comment. */
  ticketId: string | null;
  branch: string | null;
}

/** What `start` leaves. `base` is the commit that all work starts from; null when the space has no repository. */
export interface StartOutput {
  discussionSpaceId: string;
  discussionConversationId: string;
  workSpaceId: string;
  base: string | null;
}

export interface CollectEntry {
  key: string;
  title: string;
  status: 'done' | 'failed';
  /** The result, or why there is none. */
  text: string;
  ticketId: string | null;
  branch: string | null;
}

export interface CollectOutput {
  entries: CollectEntry[];
  branch: string | null;
  stat: string;
}

export interface SynthesisOutput {
  deliverable: string;
  gaps: string[];
}

/** Everything a body may use. */
export interface StepScope {
  bench: Bench;
  context: StepContext;
  orchestration: OrchestrationRow;
  pipeline: Pipeline;
  step: PipelineStep;
  /** Outputs of `step.inputs` and of start, by step key; a step without one has no entry. */
  outputs: ReadonlyMap<string, unknown>;
  /** Tickets by step key. */
  tickets: ReadonlyMap<string, string>;
  spaces: SpacesPort;
  runs: RunsPort;
}

export type StepBody = (scope: StepScope) => Promise<StepResult>;

export function startOutput(scope: StepScope): StartOutput {
  return scope.outputs.get('start') as StartOutput;
}

export function agentActor(agentId: string): Actor {
  return `agent:${agentId}`;
}
