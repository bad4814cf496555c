/** How an agent stands with its newest run, as the list of live states has it. */
export interface AgentState {
  agentId: string;
  name: string;
  state: string;
  runId: string | null;
  conversationId: string | null;
  spaceId: string | null;
  errorFamily: string | null;
  since: number | null;
}

/** A run that is paused, as the list of runs has it. */
export interface StoppedRun {
  id: string;
  agentId: string;
  agentName: string;
  liveness: string;
  errorFamily: string | null;
  /** The orchestration whose money it spends. */
  budgetScope: string | null;
  conversationId: string | null;
  spaceId: string | null;
  /** When it goes on by itself. */
  resumeAt: number | null;
  takenOverBy: string | null;
  startedAt: number | null;
  createdAt: number;
}

/** An agent whose run went wrong, and what stands in its way. */
export interface AgentTrouble extends AgentState {
  /** A word of a person's lets the run go on. */
  isPaused: boolean;
  resumeAt: number | null;
  /** Who has its work in hand meanwhile. */
  takenOverBy: string | null;
}

const STUCK: ReadonlySet<string> = new Set(['blocked', 'stalled', 'looping', 'failed', 'dead']);

/** Agents whose last run went wrong, and each run that is stuck whatever its agent does besides; one of both is told once. */
export function troublesOf(
  states: readonly AgentState[],
  stopped: readonly StoppedRun[],
): readonly AgentTrouble[] {
  const known = new Set(states.map(({ runId }) => runId));
  const byId = new Map(stopped.map((run) => [run.id, run]));
  const others = stopped.filter(({ id, liveness }) => STUCK.has(liveness) && !known.has(id));
  return [
    ...states.map((state) => withStop(state, byId.get(state.runId ?? ''))),
    ...others.map((run) => withStop(stateOf(run), run)),
  ];
}

function stateOf(run: StoppedRun): AgentState {
  const { id, agentId, agentName, conversationId, spaceId, errorFamily, startedAt, createdAt } = run;
  return {
    ...{ agentId, name: agentName, state: 'blocked', runId: id, conversationId, spaceId, errorFamily },
    since: startedAt ?? createdAt,
  };
}

const withStop = (state: AgentState, run: StoppedRun | undefined): AgentTrouble => ({
  ...state,
  isPaused: run !== undefined,
  resumeAt: run?.resumeAt ?? null,
  takenOverBy: run?.takenOverBy ?? null,
});
