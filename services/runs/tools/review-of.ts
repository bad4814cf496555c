import { Fault } from '../../kit/fault.ts';
import type { ToolContext } from './tool.ts';

/** The review that this run's space was opened for. @throws Fault invalid_request elsewhere */
export async function reviewOf({ reviews, workspaceId, spaceId }: ToolContext): Promise<string> {
  const review = spaceId === null ? null : await reviews.ofSpace(workspaceId, spaceId);
  if (review) return review.id;
  throw new Fault('invalid_request', 'This space was not opened for a pull request.');
}
