import * as z from 'zod';
import type { FinalizeFacts } from '../peers/reviews-port.ts';
import { reviewOf } from './review-of.ts';
import { defineTool } from './tool.ts';

export const finalizeReview = defineTool({
  name: 'finalize_review',
  description:
    'Gives the verdict on the head commit that you read, from the findings and the axes, and publishes both in this space. Whether it goes to the pull request too is decided by rules and people. Again for the same findings publishes nothing.',
  input: z.strictObject({
    head: z.string().min(7).max(40).describe('The head commit that you read, as read_review names it'),
    summary: z.string().max(20_000).optional().describe('Markdown, what you want to say beside the findings'),
  }),
  tier: 'write',
  effects: [],
  keyed: true,
  needs: 'review',
  run: async (context, { head, summary = '' }) => {
    const { reviews, workspaceId, actor } = context;
    const input = { headSha: head, summary };
    return textOf(await reviews.finalize(actor, workspaceId, await reviewOf(context), input));
  },
});

const WAYS: Record<string, string> = {
  asked: 'Whether it goes to the pull request is for a person to decide',
  pending: 'It is on its way to the pull request',
  published: 'It is published at the pull request',
};

function textOf({ verdict, publication, repeated }: FinalizeFacts): string {
  const { verdict: word, base, confidence, headSha, findings } = verdict;
  const again = repeated
    ? 'That was said already, so nothing was published again.'
    : 'Published in this space.';
  const alone = base === word ? '' : `; the findings alone give ${base}, the axes make it ${word}`;
  const way = WAYS[publication.state] ?? `It does not go to the pull request (${publication.state})`;
  return [
    `Verdict ${word} for ${headSha} over ${findings.length} findings, confidence ${confidence.toFixed(2)}${alone}.`,
    again,
    `${way}: ${publication.providerUrl ?? publication.reason}`,
  ].join('\n');
}
