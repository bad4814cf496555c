import type { ErrorFamily, Liveness } from '../harness/outcome.ts';
import { cacheReadShare } from './run.ts';
import type { RunPhase, RunStatus, Trigger } from './schema.ts';

/** How a run stands, in the words of a run tree. */
export type NodeState =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'paused'
  | 'succeeded'
  | 'failed'
  | 'blocked'
  | 'cancelled';

/** What is read of a run for its place in a tree; `tokens` do not overlap. */
export interface NodeFacts {
  id: string;
  parentRunId: string | null;
  agentId: string;
  agentName: string;
  conversationId: string | null;
  trigger: Trigger['kind'];
  status: RunStatus;
  phase: RunPhase;
  liveness: Liveness;
  errorFamily: ErrorFamily | null;
  summary: string | null;
  waitingFor: string | null;
  /** Null where a price was unknown. */
  costMicros: number | null;
  tokens: { input: number; output: number; cacheRead: number; cacheWrite: number };
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

export interface TreeNode extends Omit<NodeFacts, 'phase' | 'status'> {
  state: NodeState;
  /** With everything below it; null when a part is unknown. */
  treeCostMicros: number | null;
  /** From its start to its end, or to now; null for one that has not begun. */
  durationMs: number | null;
  /** The part of its prompts that came from the cache; null where nothing was sent. */
  cacheReadShare: number | null;
  /** In the order of creation. */
  children: TreeNode[];
}

/** A run that goes on though its liveness is bad is running; one that stopped for something that has to be mended is blocked. */
export function stateOf({
  status,
  phase,
  liveness,
  startedAt,
}: Pick<NodeFacts, 'status' | 'phase' | 'liveness' | 'startedAt'>): NodeState {
  if (phase === 'waiting') return 'waiting';
  if (phase === 'paused') return BAD.has(liveness) ? 'blocked' : 'paused';
  if (phase !== 'ended') return startedAt === null ? 'queued' : 'running';
  return status === 'completed' ? 'succeeded' : status === 'cancelled' ? 'cancelled' : 'failed';
}

const BAD: ReadonlySet<Liveness> = new Set(['blocked', 'stalled', 'looping', 'failed', 'dead']);

/**
 * The runs as trees, each under its parent; one whose parent is not among them is a root.
 * @param facts from the roots down, so that a parent comes before its sub-agents
 */
export function treesOf(facts: readonly NodeFacts[], nowMs: number): TreeNode[] {
  const nodes = new Map(facts.map((one) => [one.id, nodeOf(one, nowMs)]));
  const roots: TreeNode[] = [];
  for (const node of nodes.values()) {
    const parent = node.parentRunId === null ? undefined : nodes.get(node.parentRunId);
    (parent?.children ?? roots).push(node);
  }
  // From the last made up: whatever is below a run has its sum before the run adds it to its own.
  for (const node of [...nodes.values()].reverse()) {
    for (const child of node.children) node.treeCostMicros = sum(node.treeCostMicros, child.treeCostMicros);
  }
  return roots;
}

function nodeOf({ phase, status, ...shown }: NodeFacts, nowMs: number): TreeNode {
  const { startedAt, endedAt, tokens, costMicros } = shown;
  return {
    ...shown,
    state: stateOf({ phase, status, ...shown }),
    treeCostMicros: costMicros,
    durationMs: startedAt === null ? null : (endedAt ?? nowMs) - startedAt,
    cacheReadShare: cacheReadShare(tokens.input, tokens.cacheRead, tokens.cacheWrite),
    children: [],
  };
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
