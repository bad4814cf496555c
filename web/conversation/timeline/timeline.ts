import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import type { Outgoing } from '../log/outbox-state.ts';

/** One row of a conversation. Keys stay the same while a row is what it is, so that it keeps its place and its state. */
export type TimelineItem =
  | { kind: 'beginning'; key: 'beginning' }
  | { kind: 'day'; key: string; at: number }
  /** `isContinued`: right after another of the same author, so that it needs no heading of its own. */
  | { kind: 'message'; key: string; message: Message; isContinued: boolean }
  | { kind: 'run'; key: string; node: TreeNode }
  /** What waits for a word and has no message of its own. */
  | { kind: 'approval'; key: string; approvalId: string }
  | { kind: 'outgoing'; key: string; outgoing: Outgoing };

const TOGETHER_MS = 5 * 60_000;
/** How long after its end a run's last words may come. */
const LAST_WORDS_MS = 10_000;

interface Sources {
  messages: readonly Message[];
  /** Roots. */
  runs: readonly TreeNode[];
  outgoing: readonly Outgoing[];
  /** Ids of approvals. */
  approvals: readonly string[];
  hasOlder: boolean;
}

/**
 * What is shown of a conversation, from top to bottom. A run that is over stands above its last words, or where it ended; those
 * that are not over stand below everything that was said, since they are what happens now.
 */
export function timelineOf({ messages, runs, outgoing, approvals, hasOlder }: Sources): TimelineItem[] {
  const isOver = (run: TreeNode) => run.endedAt !== null;
  const places = placesOf(runs.filter(isOver), messages, hasOlder);
  const items: TimelineItem[] = [{ kind: 'beginning', key: 'beginning' }];
  let before: Message | null = null;
  for (const [i, message] of messages.entries()) {
    const isNewDay = before === null || dayOf(before.createdAt) !== dayOf(message.createdAt);
    if (isNewDay) items.push({ kind: 'day', key: `day/${dayOf(message.createdAt)}`, at: message.createdAt });
    const ended = places.get(i) ?? [];
    items.push(...ended.map(runItem));
    const isContinued = !isNewDay && ended.length === 0 && before !== null && goesOn(before, message);
    items.push({ kind: 'message', key: message.id, message, isContinued });
    before = message;
  }
  items.push(...(places.get(messages.length) ?? []).map(runItem));
  items.push(...runs.filter((run) => !isOver(run)).map(runItem));
  return [
    ...items,
    ...approvals.map((approvalId) => ({ kind: 'approval' as const, key: approvalId, approvalId })),
    ...outgoing.map((one) => ({ kind: 'outgoing' as const, key: one.key, outgoing: one })),
  ];
}

const runItem = (node: TreeNode): TimelineItem => ({ kind: 'run', key: node.id, node });

/** Runs that have ended, by the index of the message that each stands above. */
function placesOf(
  runs: readonly TreeNode[],
  messages: readonly Message[],
  hasOlder: boolean,
): Map<number, TreeNode[]> {
  const lastWords = new Map<string, { index: number; at: number }[]>();
  for (const [index, { kind, data, createdAt: at }] of messages.entries()) {
    if ((kind !== 'text' && kind !== 'notice') || typeof data.runId !== 'string') continue;
    lastWords.set(data.runId, [...(lastWords.get(data.runId) ?? []), { index, at }]);
  }
  const places = new Map<number, TreeNode[]>();
  for (const run of runs) {
    const endedAt = run.endedAt ?? 0;
    const said = lastWords.get(run.id)?.findLast(({ at }) => at <= endedAt + LAST_WORDS_MS);
    const index = said?.index ?? firstAfter(messages, endedAt);
    // It belongs to a page that is not here.
    if (said === undefined && index === 0 && hasOlder) continue;
    places.set(index, [...(places.get(index) ?? []), run]);
  }
  return places;
}

function firstAfter(messages: readonly Message[], at: number): number {
  let [low, high] = [0, messages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((messages[middle]?.createdAt ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function goesOn(before: Message, message: Message): boolean {
  const isPlain = before.kind === 'text' && message.kind === 'text';
  return isPlain && before.author === message.author && message.createdAt - before.createdAt < TOGETHER_MS;
}

/** The day in the person's own time zone. */
function dayOf(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}
