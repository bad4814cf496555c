import type { Actor } from '../../kit/actor.ts';

export const FINDING_TYPES = ['bug', 'suggestion', 'recommendation', 'question', 'ticket'] as const;
export const FINDING_PRIORITIES = ['P0', 'P1', 'P2', 'P3'] as const;
type Priority = (typeof FINDING_PRIORITIES)[number];

interface AnchorFacts {
  path: string;
  startLine: number;
  endLine: number;
  side: 'LEFT' | 'RIGHT';
}

export interface FindingFacts {
  id: string;
  type: (typeof FINDING_TYPES)[number];
  priority: Priority;
  confidence: number;
  body: string;
  place: (AnchorFacts & { sha: string; state: 'current' | 'moved' | 'outdated' }) | null;
  author: Actor;
  status: 'open' | 'consensusReady';
  confirmedBy: Actor[];
  resolved: { by: Actor; reason: string } | null;
}

interface ChangedFileFacts {
  path: string;
  previousPath: string | null;
  status: string;
  additions: number;
  deletions: number;
  patch: string | null;
}

/** A pull request under review; its texts come from outside. */
export interface ReviewFacts {
  id: string;
  repository: string;
  number: number;
  url: string;
  title: string;
  description: string;
  author: string;
  state: string;
  baseRef: string;
  headRef: string;
  headSha: string;
  files: ChangedFileFacts[];
  filesComplete: boolean;
  commits: { sha: string; message: string; author: string }[];
  checks: { name: string; status: string; conclusion: string | null }[] | null;
  findings: FindingFacts[];
  dropped: number;
  axes: { axis: string; result: string; gated: boolean; note: string }[];
  verdict: { verdict: string; headSha: string } | null;
  publication: PublicationFacts | null;
  stale: boolean;
}

interface PublicationFacts {
  state: string;
  reason: string;
  providerUrl: string | null;
}

interface NewFinding {
  type: FindingFacts['type'];
  /** As the model gave them: they are judged by their owner, who drops what is not valid. */
  priority: unknown;
  confidence: unknown;
  body: string;
  anchor: {
    path: string;
    startLine: number;
    endLine?: number | undefined;
    side?: AnchorFacts['side'] | undefined;
  } | null;
  headSha: string;
  /** The agents of the runs above this one, where it is a sub-agent's. */
  onBehalfOf: Actor[];
  key: string;
}

type FindingOutcome =
  | { kind: 'added'; finding: FindingFacts }
  | { kind: 'dropped'; reasons: string[]; dropped: number };

export interface FinalizeFacts {
  verdict: { verdict: string; base: string; confidence: number; headSha: string; findings: { id: string }[] };
  publication: PublicationFacts;
  /** This head has this verdict already; nothing was told again. */
  repeated: boolean;
}

/** What runs need of reviews. Every call rejects with a Fault: not_found, forbidden, stale_revision after a push. */
export interface ReviewsPort {
  /** The review that a space was opened for. */
  ofSpace(workspaceId: string, spaceId: string): Promise<{ id: string } | null>;
  review(workspaceId: string, reviewId: string): Promise<ReviewFacts>;
  addFinding(
    actor: Actor,
    workspaceId: string,
    reviewId: string,
    finding: NewFinding,
  ): Promise<FindingOutcome>;
  confirmFinding(
    actor: Actor,
    workspaceId: string,
    reviewId: string,
    findingId: string,
    onBehalfOf: Actor[],
  ): Promise<FindingFacts>;
  finalize(
    actor: Actor,
    workspaceId: string,
    reviewId: string,
    input: { headSha: string; summary: string },
  ): Promise<FinalizeFacts>;
}
