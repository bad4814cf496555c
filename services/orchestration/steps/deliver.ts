import type { StepResult } from '../engine/engine.ts';
import { bounded, POST_LIMIT } from '../text.ts';
import { type CollectOutput, type StepScope, type SynthesisOutput, startOutput } from './step-scope.ts';

/** Publishes the deliverable in the discussion and where the proposal came from, and on the parent ticket. */
export async function deliver(scope: StepScope): Promise<StepResult> {
  const { bench, context, orchestration, spaces } = scope;
  const { deliverable, gaps } = scope.outputs.get('synthesis') as SynthesisOutput;
  const collected = scope.outputs.get('collect') as CollectOutput | undefined;
  await bench.store.change(context.workspaceId, orchestration.id, {
    label: 'orchestration.deliver',
    set: { deliverable, gaps },
  });
  const body = deliverableText({ deliverable, gaps }, collected);
  const data = { orchestrationId: orchestration.id, branch: collected?.branch ?? null, gaps };
  for (const conversationId of [startOutput(scope).discussionConversationId, orchestration.conversationId]) {
    await spaces.postMessage('service:orchestration', conversationId, {
      ...{ key: `${orchestration.id}/deliverable/${conversationId}`, kind: 'deliverable', body, data },
    });
  }
  if (orchestration.parentTicketId) {
    await spaces.commentTicket(orchestration.parentTicketId, {
      key: `${orchestration.id}/deliverable`,
      body,
    });
  }
  return { kind: 'done', output: { deliverable, gaps } };
}

function deliverableText(
  { deliverable, gaps }: SynthesisOutput,
  collected: CollectOutput | undefined,
): string {
  const sections = [
    bounded(deliverable, POST_LIMIT, 'The orchestration keeps the whole.'),
    gaps.length > 0 && `## Gaps\n\n${gaps.map((gap) => `- ${gap}`).join('\n')}`,
    collected?.branch &&
      `## Branch\n\n\`${collected.branch}\`\n\n\`\`\`\n${bounded(collected.stat, 4_000, 'See the branch.')}\n\`\`\``,
  ];
  return sections.filter(Boolean).join('\n\n');
}
