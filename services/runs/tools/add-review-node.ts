import * as z from 'zod';
import { FINDING_PRIORITIES, FINDING_TYPES } from '../peers/reviews-port.ts';
import { reviewOf } from './review-of.ts';
import { defineTool, failed, Path } from './tool.ts';

const LineNumber = z.number().int().min(1);
const Anchor = z
  .strictObject({
    path: Path,
    startLine: LineNumber.describe('As read_review numbers the lines of its side'),
    endLine: LineNumber.optional().describe('The same line when left out'),
    side: z
      .enum(['LEFT', 'RIGHT'])
      .optional()
      .describe('RIGHT: the file as it is now, unless told; LEFT: as it was before the pull request'),
  })
  .nullable()
  .optional()
  .describe('Where it is; leave it out for a note about the whole');

const finding = {
  type: z.enum(FINDING_TYPES),
  body: z.string().trim().min(1).max(20_000).describe('Markdown: what is wrong, why, and how to mend it'),
  anchor: Anchor,
  head: z.string().min(7).max(40).describe('The head commit that you read, as read_review names it'),
};

export const addReviewNode = defineTool({
  name: 'add_review_node',
  description:
    'Adds a finding to the review of this pull request. Priority P0 blocks the release, P3 is optional; confidence is how sure you are, from 0 to 1. Without both of them, valid, a finding is dropped and counted.',
  // Priority and confidence are judged where findings are kept, so that what is not valid is dropped there and counted.
  input: z.strictObject({ ...finding, priority: z.unknown(), confidence: z.unknown() }).partial({
    ...{ priority: true, confidence: true },
  }),
  shownInput: z.strictObject({
    ...finding,
    priority: z.enum(FINDING_PRIORITIES),
    confidence: z.number().min(0).max(1),
  }),
  tier: 'write',
  effects: [],
  keyed: true,
  needs: 'review',
  run: async (context, { head, anchor = null, type, body, priority, confidence }) => {
    const { reviews, workspaceId, actor, key, onBehalfOf } = context;
    const added = { type, body, priority, confidence, anchor, headSha: head, onBehalfOf, key };
    const outcome = await reviews.addFinding(actor, workspaceId, await reviewOf(context), added);
    if (outcome.kind === 'added') return `Added as ${outcome.finding.id}. A peer can confirm it.`;
    const lost = `${outcome.dropped} dropped in this review so far.`;
    return failed(`Dropped, not kept: ${outcome.reasons.join('; ')}. Call it again with both valid. ${lost}`);
  },
});
