/** A review that was made. */
export interface MadeReview {
  id: number;
  commit_id: string;
  event: string;
  body: string;
  comments: Record<string, unknown>[];
}

/** A pull request of the fake. */
export interface Pull {
  number: number;
  title: string;
  body: string;
  author: string;
  state: 'open' | 'closed';
  baseSha: string;
  headSha: string;
  reviews: MadeReview[];
}
