import type { Liveness } from '../harness/outcome.ts';
import type { RunStatus } from '../runs/schema.ts';

/** How an agent stands in the roster. A run that is only queued has left no log yet. */
export type LiveState = 'neverRun' | 'running' | 'failed' | 'blocked' | 'idle';

const FAILED: ReadonlySet<Liveness> = new Set(['failed', 'dead']);
const BLOCKED: ReadonlySet<Liveness> = new Set(['blocked', 'stalled', 'looping']);

/**
 * The first line that holds, in this order.
 * @param latest the run in progress, else the last one; null when the agent has run nothing
 */
export function liveStateOf(latest: { status: RunStatus; liveness: Liveness } | null): LiveState {
  if (latest === null) return 'neverRun';
  const { status, liveness } = latest;
  if (status === 'running') return 'running';
  if (status === 'failed' || FAILED.has(liveness)) return 'failed';
  return BLOCKED.has(liveness) ? 'blocked' : 'idle';
}
