import type { Agent } from '../../services/spaces/agents/schema.ts';
import type { PresenceItem } from '../../services/spaces/presence/presence-list.ts';

/** An agent as presence tells of it. */
export type AgentHere = Extract<PresenceItem, { kind: 'agent' }>;

export type LiveState = 'neverRun' | 'running' | 'failed' | 'blocked' | 'idle';
export const LIVE_STATES: readonly LiveState[] = ['running', 'blocked', 'failed', 'idle', 'neverRun'];

/** Money of this month; `spentMicros` is the least that it can be while calls of an unknown price are in no sum. */
export interface MonthBudget {
  capMicros: number | null;
  spentMicros: number;
  reservedMicros: number;
  unknownCalls: number;
  /** The most that those of them cost that were made under a price. */
  unknownMicros: number;
}

export interface RosterRow {
  agent: Agent;
  /** Null while it is not known. */
  state: LiveState | null;
  /** The run that the state is derived from. */
  runId: string | null;
  /** What went wrong with that run; null where nothing did. */
  errorFamily: string | null;
  /** When that run goes on by itself; null where a person has to let it. */
  resumeAt: number | null;
  /** Undefined while presence is not known. */
  here: AgentHere | undefined;
  /** Runs that wait for their turn; null while that is not known. */
  queued: number | null;
  budget: MonthBudget | null;
}

interface BudgetItem {
  target: string;
  capMicros: number | null;
  spentMicros: number | null;
  reservedMicros: number | null;
  unknownCalls: number | null;
  unknownMicros: number | null;
}

interface StateItem {
  agentId: string;
  state: LiveState;
  runId: string | null;
  errorFamily: string | null;
  resumeAt: number | null;
}

interface RosterFacts {
  agents: readonly Agent[];
  states: readonly StateItem[] | undefined;
  queue: readonly { agentId: string }[] | undefined;
  budgets: readonly BudgetItem[] | undefined;
  here: readonly AgentHere[];
}

/** Each agent with all that is known of it. */
export function rosterOf({ agents, states, queue, budgets, here }: RosterFacts): RosterRow[] {
  const stateOf = new Map(states?.map((one) => [one.agentId, one]));
  const hereOf = new Map(here.map((one) => [one.actor.slice('agent:'.length), one]));
  return agents.map((agent) => {
    const known = stateOf.get(agent.id);
    return {
      agent,
      state: known?.state ?? null,
      runId: known?.runId ?? null,
      errorFamily: known?.errorFamily ?? null,
      resumeAt: known?.resumeAt ?? null,
      here: hereOf.get(agent.id),
      queued: queue ? queue.filter(({ agentId }) => agentId === agent.id).length : null,
      budget: budgets ? budgetOf(budgets, `agent:${agent.id}`) : null,
    };
  });
}

/** Null of what is listed nowhere cannot be: agents that have spent nothing and have no cap are left out of the list. */
export function budgetOf(budgets: readonly BudgetItem[], target: string): MonthBudget {
  const found = budgets.find((one) => one.target === target);
  return {
    capMicros: found?.capMicros ?? null,
    spentMicros: found?.spentMicros ?? 0,
    reservedMicros: found?.reservedMicros ?? 0,
    unknownCalls: found?.unknownCalls ?? 0,
    unknownMicros: found?.unknownMicros ?? 0,
  };
}

export const SORTS = ['name', 'state', 'cost'] as const;
export type Sort = (typeof SORTS)[number];

const ORDERS: Record<Sort, (a: RosterRow, b: RosterRow) => number> = {
  name: () => 0,
  state: (a, b) => rank(a.state) - rank(b.state),
  cost: (a, b) => (b.budget?.spentMicros ?? 0) - (a.budget?.spentMicros ?? 0),
};
const rank = (state: LiveState | null) => (state === null ? LIVE_STATES.length : LIVE_STATES.indexOf(state));

/** The rows that a filter leaves, in an order; those alike by name. Every word has to be in the name, the title or a skill. */
export function shownRows(
  rows: readonly RosterRow[],
  { text, state, sort }: { text: string; state: LiveState | null; sort: Sort },
): RosterRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows
    .filter(({ agent, state: its }) => {
      const all = [agent.name, agent.title, ...agent.skills].join(' ').toLowerCase();
      return (state === null || its === state) && words.every((word) => all.includes(word));
    })
    .sort((a, b) => ORDERS[sort](a, b) || (a.agent.name < b.agent.name ? -1 : 1));
}
