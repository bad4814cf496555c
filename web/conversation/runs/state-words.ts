import type { NodeState, TreeNode } from '../../../services/runs/runs/tree-node.ts';
import type { StatusWord } from '../../ui/status-words.ts';

/** A run's state in the words of any status. */
const STATUS_OF_RUN: Record<NodeState, StatusWord> = {
  queued: 'pending',
  running: 'running',
  waiting: 'awaiting',
  paused: 'paused',
  succeeded: 'done',
  failed: 'failed',
  blocked: 'blocked',
  cancelled: 'cancelled',
};

/** The run of which all is said that there is to say of this one: itself, or the sub-agent that it waits for. */
export function atRun(node: TreeNode): TreeNode {
  if (node.state !== 'waiting') return node;
  const below = node.children.find(({ id }) => id === node.waitingFor);
  return below ? atRun(below) : node;
}

/** Waiting for a sub-agent is work, unless that one is held up itself. */
export function statusOfRun(node: TreeNode): StatusWord {
  const at = atRun(node);
  const isHeldUp = HELD_UP.has(at.state) && !at.waitingFor?.startsWith('run_');
  return isHeldUp || node.state !== 'waiting' ? STATUS_OF_RUN[at.state] : 'running';
}
const HELD_UP: ReadonlySet<NodeState> = new Set(['waiting', 'paused', 'blocked']);

export interface Spent {
  /** The sum of what is known. */
  micros: number;
  /** A part of it is not known, so that the sum is the least that it can be. */
  isPartial: boolean;
}

/** What runs cost by themselves, together; a run with an unknown price makes the sum partial, not smaller. */
export function spentBy(runs: readonly Pick<TreeNode, 'costMicros'>[]): Spent {
  return {
    micros: runs.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0),
    isPartial: runs.some(({ costMicros }) => costMicros === null),
  };
}

/** Whether the model was paid for anything that is known: a run that was stopped in its first answer has no sum to show. */
export function hasSpent(runs: readonly Pick<TreeNode, 'costMicros' | 'tokens'>[]): boolean {
  const { micros, isPartial } = spentBy(runs);
  return isPartial || micros > 0 || Object.values(tokensOf(runs)).some((n) => n > 0);
}

export function tokensOf(runs: readonly Pick<TreeNode, 'tokens'>[]): TreeNode['tokens'] {
  const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (const { tokens } of runs)
    for (const kind of Object.keys(sum) as (keyof typeof sum)[]) sum[kind] += tokens[kind];
  return sum;
}
