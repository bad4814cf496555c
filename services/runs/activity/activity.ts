import { isRunId } from '../runs/run.ts';
import type { RunPhase } from '../runs/schema.ts';

/**
 * What an agent is about in one run: `thinking` between two calls, `runningTool`, `waitingForApproval` for a decision or an
 * answer, `paused`, or `done` with the last of its runs.
 */
type ActivityState = 'thinking' | 'runningTool' | 'waitingForApproval' | 'paused' | 'done';

export interface AgentActivity {
  agentId: string;
  state: ActivityState;
  /** The tool that runs, or whose call waits; null for none, or where it is not known. */
  tool: string | null;
  runId: string;
  conversationId: string | null;
  spaceId: string | null;
  /** What people are asked; null unless it waits for that. */
  approvalId: string | null;
  since: number;
}

/** A run that has begun and not ended, or the last one of an agent that has none. */
export interface ActiveRun {
  agentId: string;
  runId: string;
  phase: RunPhase;
  waitingFor: string | null;
  conversationId: string | null;
  spaceId: string | null;
  /** When its last entry came, or its start or end. */
  lastAt: number;
  /** The tool of its last entry when that is a held call. */
  heldTool: string | null;
}

/** A call of a run that is being made now. */
export interface RunningTool {
  name: string;
  at: number;
}

/** @param running what the run's loop has begun last and not ended; undefined when it makes no call now */
export function activityOf(run: ActiveRun, running: RunningTool | undefined): AgentActivity {
  const { phase, waitingFor, lastAt, heldTool, ...place } = run;
  const plain = { ...place, tool: null, approvalId: null, since: lastAt };
  if (phase === 'ended') return { ...plain, state: 'done' };
  if (phase === 'paused') return { ...plain, state: 'paused' };
  if (phase === 'waiting' && waitingFor !== null) {
    if (isRunId(waitingFor)) return { ...plain, state: 'runningTool', tool: 'run_subagent' };
    return { ...plain, state: 'waitingForApproval', tool: heldTool, approvalId: waitingFor };
  }
  if (phase === 'live' && running)
    return { ...plain, state: 'runningTool', tool: running.name, since: running.at };
  return { ...plain, state: 'thinking' };
}
