import { unwrap } from '../../../services/kit/peer.ts';
import type { NewReview } from '../../../services/spaces/reviews/schema.ts';
import type { SpacesApp } from '../../../services/spaces/service.ts';
import { allPages } from './all-pages.ts';
import { keyed, overSend } from './over-send.ts';
import type { Send } from './send.ts';

/** Pull requests under review. */
export function reviewCalls(send: Send) {
  const { reviews } = overSend<SpacesApp>(send).api.workspaces[':workspaceId'];
  const one = reviews[':id'];
  return {
    openReview: (workspaceId: string, review: Partial<NewReview> & { url: string }, key: string) =>
      unwrap(reviews.$post({ param: { workspaceId }, json: { ...review, key } }, keyed(key))),
    reviews: (workspaceId: string) =>
      allPages((query) => unwrap(reviews.$get({ param: { workspaceId }, query }))),
    review: (workspaceId: string, id: string) => unwrap(one.$get({ param: { workspaceId, id } })),
    refreshReview: (workspaceId: string, id: string, key: string) =>
      unwrap(one.refresh.$post({ param: { workspaceId, id } }, keyed(key))),
    publishReview: (workspaceId: string, id: string, headSha: string, key: string) =>
      unwrap(one.publish.$post({ param: { workspaceId, id }, json: { headSha } }, keyed(key))),
  };
}
