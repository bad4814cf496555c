import * as z from 'zod';
import type { StepResult } from '../engine/engine.ts';
import type { RunEnd } from '../ports.ts';
import { lineOf } from '../text.ts';
import { promptFor } from './prompt.ts';
import { type StepScope, startOutput } from './step-scope.ts';

const Ended = z.object({
  status: z.string(),
  summary: z.string().nullable(),
  output: z.object({ text: z.string(), value: z.unknown() }).nullable(),
});

/** Where an agent works: the room, and what its worktree starts from. */
export interface Room {
  spaceId: string;
  worktree: { base: string; merge: string[] } | null;
}

/** The room's conversation of this step; the same at every attempt, so that a retry finds the earlier work. */
export async function stepConversation(scope: StepScope, spaceId: string): Promise<string> {
  const { orchestration, step } = scope;
  const key = `${orchestration.id}/thread/${step.key}`;
  return (await scope.spaces.createConversation(spaceId, { key, title: lineOf(step.title) })).id;
}

/** Asks for a run of the step's agent and waits at the gate that bears the run's id. */
export async function dispatch(scope: StepScope, room: Room): Promise<StepResult> {
  const { orchestration, step, context } = scope;
  if (!step.agentId) return { kind: 'failed', message: `Step ${step.key} has no agent.` };
  const run = await scope.runs.createRun({
    key: context.key,
    agentId: step.agentId,
    conversationId: await stepConversation(scope, room.spaceId),
    trigger: { kind: 'pipelineStep', id: `${context.runId}/${step.key}` },
    prompt: promptFor(scope),
    requestedBy: orchestration.requestedBy,
    outputSchema: step.outputSchema,
    budgetScope: orchestration.id,
    worktree: room.worktree,
  });
  await scope.bench.pipelines.recordRun(context, step.key, run.id);
  return { kind: 'suspend', gate: run.id };
}

/** The answer of the run that ended, or why there is none. */
export function answerOf(
  scope: StepScope,
  payload: unknown,
): { text: string; value: unknown } | { failure: string } {
  const { status, summary, output } = Ended.parse(payload) as Pick<RunEnd, 'status' | 'summary' | 'output'>;
  if (status !== 'completed')
    return { failure: `The agent's run ${status}: ${summary ?? 'no reason was given'}` };
  if (!output || (output.text.trim() === '' && output.value == null)) {
    return { failure: `The agent's run ended without a result${summary ? `: ${summary}` : '.'}` };
  }
  if (scope.step.outputSchema && output.value == null) {
    return { failure: 'The agent did not answer in the form that was asked for.' };
  }
  const text = output.text.trim() === '' ? JSON.stringify(output.value, null, 2) : output.text;
  return { text, value: output.value ?? null };
}

/** The room for reading steps: the discussion space, at the commit that all work starts from. */
export function readingRoom(scope: StepScope, base = startOutput(scope).base): Room {
  const { discussionSpaceId } = startOutput(scope);
  return { spaceId: discussionSpaceId, worktree: base === null ? null : { base, merge: [] } };
}
