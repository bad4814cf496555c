import type { Approval, ApprovalKind } from '../../services/spaces/approvals/schema.ts';
import type { AgentTrouble, StoppedRun } from './troubles.ts';

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
 * @param hidden runs that are not to be told of, since people are asked about them already
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

export const SHOWS = ['all', 'permissions', 'questions', 'plans', 'failures', 'later'] as const;
export type Show = (typeof SHOWS)[number];

const GROUPS: Record<Exclude<Show, 'all' | 'later'>, readonly ItemKind[]> = {
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

/** What was put off is shown by itself and nowhere else. */
export const isIn = (show: Show, { kind, id }: QueueItem, away: ReadonlySet<string>): boolean => {
  if (show === 'later' || away.has(id)) return show === 'later' && away.has(id);
  return show === 'all' || GROUPS[show].includes(kind);
};

export const spaceOf = (item: QueueItem): string | null =>
  item.isFailure ? item.trouble.spaceId : item.approval.spaceId;

export const inSpace = (space: string | null, item: QueueItem): boolean =>
  space === null || spaceOf(item) === space;

export function filtered(
  items: readonly QueueItem[],
  { show, space }: QueueFilter,
  away: ReadonlySet<string>,
): QueueItem[] {
  return items.filter((item) => isIn(show, item, away) && inSpace(space, item));
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
