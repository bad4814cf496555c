import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import type { Outgoing } from '../log/outbox-state.ts';

/** One row of a conversation. Keys stay the same while a row is what it is, so that it keeps its place and its state. */
export type TimelineItem =
  | { kind: 'beginning'; key: 'beginning' }
  | { kind: 'day'; key: string; at: number }
  | MessageItem
  | { kind: 'run'; key: string; node: TreeNode }
  /** What waits for a word and has no message of its own. */
  | { kind: 'approval'; key: string; approvalId: string }
  | { kind: 'outgoing'; key: string; outgoing: Outgoing };

interface MessageItem {
  kind: 'message';
  key: string;
  message: Message;
  /** Right after another of the same author, so that it needs no heading of its own. */
  isContinued: boolean;
  /** The run whose last words these are. */
  work: TreeNode | null;
}

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
 * What is shown of a conversation, from top to bottom. A run that is over is part of its last words, or stands where it ended;
 * those that are not over stand below everything that was said, since they are what happens now.
 */
export function timelineOf({ messages, runs, outgoing, approvals, hasOlder }: Sources): TimelineItem[] {
  const isOver = (run: TreeNode) => run.endedAt !== null;
  const { works, places } = placesOf(runs.filter(isOver), messages, hasOlder);
  const items: TimelineItem[] = [{ kind: 'beginning', key: 'beginning' }];
  let before: Message | null = null;
  for (const [i, message] of messages.entries()) {
    const isNewDay = before === null || dayOf(before.createdAt) !== dayOf(message.createdAt);
    if (isNewDay) items.push({ kind: 'day', key: `day/${dayOf(message.createdAt)}`, at: message.createdAt });
    const ended = places.get(i) ?? [];
    items.push(...ended.map(runItem));
    const work = works.get(message.id) ?? null;
    const isAlone = isNewDay || ended.length > 0 || work !== null || before === null;
    const isContinued = !isAlone && before !== null && goesOn(before, message);
    items.push({ kind: 'message', key: message.id, message, isContinued, work });
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

interface Places {
  /** Runs by the id of the message that holds their last words. */
  works: Map<string, TreeNode>;
  /** The others, by the index of the message that each stands above. */
  places: Map<number, TreeNode[]>;
}

function placesOf(runs: readonly TreeNode[], messages: readonly Message[], hasOlder: boolean): Places {
  const words = wordsOf(messages);
  const works = new Map<string, TreeNode>();
  const places = new Map<number, TreeNode[]>();
  for (const run of runs) {
    const endedAt = run.endedAt ?? 0;
    const said = lastOf(words.get(run.id) ?? [], run);
    const index = firstAfter(messages, endedAt);
    if (said) works.set(said.id, run);
    // What ended before the first message here belongs to a page that is not here.
    else if (index > 0 || !hasOlder) places.set(index, [...(places.get(index) ?? []), run]);
  }
  return { works, places };
}

/** What a run came to: its answer, or else what it says of having none. */
function lastOf(words: readonly Message[], { state, endedAt }: TreeNode): Message | undefined {
  const said = words.filter(({ createdAt }) => createdAt <= (endedAt ?? 0) + LAST_WORDS_MS);
  const answer = state === 'succeeded' ? said.findLast(({ kind }) => kind === 'text') : undefined;
  return answer ?? said.at(-1);
}

/** What each run has said. */
function wordsOf(messages: readonly Message[]): Map<string, Message[]> {
  const words = new Map<string, Message[]>();
  for (const message of messages) {
    const { kind, data, author } = message;
    if ((kind !== 'text' && kind !== 'notice') || typeof data.runId !== 'string') continue;
    if (!author.startsWith('agent:')) continue;
    words.set(data.runId, [...(words.get(data.runId) ?? []), message]);
  }
  return words;
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
