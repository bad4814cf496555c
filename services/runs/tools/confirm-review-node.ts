import * as z from 'zod';
import { reviewOf } from './review-of.ts';
import { defineTool } from './tool.ts';

export const confirmReviewNode = defineTool({
  name: 'confirm_review_node',
  description:
    "Confirms another's finding that you have checked yourself; that makes it ready for consensus. Your own are not yours to confirm, nor through a sub-agent.",
  input: z.strictObject({ findingId: z.string().min(1).max(80) }),
  tier: 'write',
  effects: [],
  keyed: true,
  needs: 'review',
  run: async (context, { findingId }) => {
    const { reviews, workspaceId, actor, onBehalfOf } = context;
    const reviewId = await reviewOf(context);
    const finding = await reviews.confirmFinding(actor, workspaceId, reviewId, findingId, onBehalfOf);
    const count = finding.confirmedBy.length;
    return `${finding.id} is ready: confirmed by ${count} ${count === 1 ? 'peer' : 'peers'}.`;
  },
});
