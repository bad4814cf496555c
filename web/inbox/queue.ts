import type { Approval, ApprovalKind } from '../../services/spaces/approvals/schema.ts';

/** What a person can be wanted for. */
export type ItemKind =
  | 'action'
  | 'question'
  | 'budget'
  | 'proposal'
  | 'plan'
  | 'planExit'
  | 'skillOverride'
  | 'failed'
  | 'blocked';

/** An approval with what a list says of it. */
export interface WaitingApproval extends Approval {
  agentName: string | null;
  spaceName: string | null;
}

/** How an agent stands whose last run went wrong. */
export interface AgentTrouble {
  agentId: string;
  name: string;
  state: string;
  runId: string | null;
  conversationId: string | null;
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
  startedAt: number | null;
  createdAt: number;
}

const STUCK: ReadonlySet<string> = new Set(['blocked', 'stalled', 'looping', 'failed', 'dead']);

/** Agents whose last run went wrong, and each run that is stuck whatever its agent does besides; one of both is told once. */
export function troublesOf(
  states: readonly AgentTrouble[],
  stopped: readonly StoppedRun[],
): readonly AgentTrouble[] {
  const known = new Set(states.map(({ runId }) => runId));
  const others = stopped.filter(({ id, liveness }) => STUCK.has(liveness) && !known.has(id));
  return [
    ...states,
    ...others.map(({ id, agentId, agentName, conversationId, startedAt, createdAt }) => ({
      ...{ agentId, name: agentName, state: 'blocked', runId: id, conversationId },
      since: startedAt ?? createdAt,
    })),
  ];
}

/** Ids of runs that stopped for a budget of which people are asked already: that question is where they go on. */
export function askedAbout(
  waiting: readonly Pick<Approval, 'kind' | 'arguments'>[],
  stopped: readonly StoppedRun[],
): string[] {
  const budgets = new Set(
    waiting.filter((one) => kindOf(one) === 'budget').map((one) => one.arguments.orchestrationId),
  );
  return stopped
    .filter(({ errorFamily, budgetScope }) => errorFamily === 'budget' && budgets.has(budgetScope))
    .map(({ id }) => id);
}

export interface WaitingItem {
  isFailure: false;
  kind: ItemKind;
  id: string;
  since: number;
  approval: WaitingApproval;
}

interface FailureItem {
  isFailure: true;
  kind: 'failed' | 'blocked';
  /** The run's. */
  id: string;
  since: number;
  trouble: AgentTrouble;
}

export type QueueItem = WaitingItem | FailureItem;

const KINDS: Record<Exclude<ApprovalKind, 'question' | 'orchestration'>, ItemKind> = {
  action: 'action',
  plan_exit: 'planExit',
  skill_override: 'skillOverride',
};

export function kindOf({ kind, arguments: asked }: Pick<Approval, 'kind' | 'arguments'>): ItemKind {
  if (kind === 'question') return asked.about === 'budget' ? 'budget' : 'question';
  if (kind === 'orchestration') return asked.kind === 'plan' ? 'plan' : 'proposal';
  return KINDS[kind];
}

const itemOf = (approval: WaitingApproval): WaitingItem => ({
  ...{ isFailure: false, kind: kindOf(approval), id: approval.id, since: approval.createdAt, approval },
});

/**
 * Everything that wants a person: first what waits, whatever has waited longest at the top, then what went wrong.
 * @param settled decided a moment ago: each keeps its place until it leaves
 * @param hidden runs that are not to be told of: put aside, or asked about
 */
export function queueOf(
  waiting: readonly WaitingApproval[],
  settled: readonly WaitingApproval[],
  troubles: readonly AgentTrouble[],
  hidden: ReadonlySet<string>,
): QueueItem[] {
  const gone = new Set(settled.map(({ id }) => id));
  const approvals = [...waiting.filter(({ id }) => !gone.has(id)), ...settled];
  const failures = troubles.flatMap((trouble): FailureItem[] => {
    const { state, runId, since } = trouble;
    if ((state !== 'failed' && state !== 'blocked') || runId === null || hidden.has(runId)) return [];
    return [{ isFailure: true, kind: state, id: runId, since: since ?? 0, trouble }];
  });
  return [...approvals.map(itemOf).sort(oldestFirst), ...failures.sort(oldestFirst)];
}

const oldestFirst = (a: QueueItem, b: QueueItem) => a.since - b.since || (a.id < b.id ? -1 : 1);

export const SHOWS = ['all', 'permissions', 'questions', 'plans', 'failures'] as const;
export type Show = (typeof SHOWS)[number];

const GROUPS: Record<Exclude<Show, 'all'>, readonly ItemKind[]> = {
  permissions: ['action', 'skillOverride'],
  questions: ['question', 'budget'],
  plans: ['proposal', 'plan', 'planExit'],
  failures: ['failed', 'blocked'],
};

export interface QueueFilter {
  show: Show;
  /** Id of a space; null for all. */
  space: string | null;
}

export function filterFrom(params: URLSearchParams): QueueFilter {
  const show = SHOWS.find((one) => one === params.get('show')) ?? 'all';
  return { show, space: params.get('space') };
}

export const isIn = (show: Show, { kind }: QueueItem): boolean =>
  show === 'all' || GROUPS[show].includes(kind);

/** A failure belongs to a conversation, of which the space is not known here: it shows whatever space is chosen. */
export const inSpace = (space: string | null, item: QueueItem): boolean =>
  space === null || item.isFailure || item.approval.spaceId === space;

export function filtered(items: readonly QueueItem[], { show, space }: QueueFilter): QueueItem[] {
  return items.filter((item) => isIn(show, item) && inSpace(space, item));
}

/** The item `by` places on from `id`, staying at the ends; the first where `id` is not among them. */
export function itemBeside(items: readonly QueueItem[], id: string | null, by: 1 | -1): QueueItem | null {
  const at = items.findIndex((item) => item.id === id);
  if (at < 0) return items[by > 0 ? 0 : items.length - 1] ?? null;
  return items[Math.max(0, Math.min(items.length - 1, at + by))] ?? null;
}

/** Where to go on once `id` is dealt with: the next that still waits, else the one before. */
export function nextAfter(
  items: readonly QueueItem[],
  id: string,
  isSettled: (id: string) => boolean,
): QueueItem | null {
  const at = items.findIndex((item) => item.id === id);
  const open = (item: QueueItem) => item.id !== id && !isSettled(item.id);
  return items.slice(at + 1).find(open) ?? items.slice(0, Math.max(0, at)).findLast(open) ?? null;
}
