import * as z from 'zod';
import type { StepResult } from '../engine/engine.ts';
import { patchCard } from '../orchestrations/publish.ts';
import { lineOf } from '../text.ts';
import { answerOf, dispatch, readingRoom } from './agent-step.ts';
import type { CollectOutput, StepScope, SynthesisOutput } from './step-scope.ts';

const Delivered = z.object({ deliverable: z.string().trim().min(1), gaps: z.array(z.string()) });

/** One agent makes the deliverable of all results; what failed stands in the gaps, whether it says so or not. */
export async function synthesis(scope: StepScope): Promise<StepResult> {
  const collected = scope.outputs.get('collect') as CollectOutput;
  if (!scope.context.received) {
    await enterSynthesis(scope);
    return dispatch(scope, readingRoom(scope, collected.branch ?? undefined));
  }
  const answer = answerOf(scope, scope.context.received.payload);
  if ('failure' in answer) return { kind: 'failed', message: answer.failure };
  const delivered = Delivered.safeParse(answer.value);
  if (!delivered.success)
    return { kind: 'failed', message: 'The deliverable does not have the form that was asked for.' };
  const { deliverable, gaps } = delivered.data;
  const output: SynthesisOutput = { deliverable, gaps: [...gaps, ...unnamedFailures(collected, gaps)] };
  return { kind: 'done', output };
}

async function enterSynthesis({ bench, context, orchestration }: StepScope): Promise<void> {
  const entered = await bench.store.change(context.workspaceId, orchestration.id, {
    label: 'orchestration.synthesize',
    set: { status: 'synthesizing' },
    from: ['approved', 'executing'],
    event: { type: 'synthesizing', actor: 'service:orchestration' },
  });
  if (entered) await patchCard(bench, context.workspaceId, orchestration.id);
}

function unnamedFailures({ entries }: CollectOutput, gaps: readonly string[]): string[] {
  const said = gaps.join('\n');
  return entries
    .filter((entry) => entry.status === 'failed' && !said.includes(entry.key.replace('ticket/', '')))
    .map((entry) => `${entry.key} (${entry.title}): ${lineOf(entry.text, 500)}`);
}
