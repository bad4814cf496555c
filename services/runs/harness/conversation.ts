import type {
  AnswerEntry,
  AssistantBlock,
  CompactionEntry,
  Entry,
  ToolFinishedEntry,
  UserEntry,
} from './journal.ts';

export type CallBlock = Extract<AssistantBlock, { type: 'tool_use' }>;

/** One model answer with what followed it. */
export interface Turn {
  answer: AnswerEntry;
  calls: CallBlock[];
  /** Ids of the calls that had begun. */
  started: ReadonlySet<string>;
  /** Approval ids by the id of the call that waited for it last. */
  held: ReadonlyMap<string, string>;
  /** By call id. */
  results: ReadonlyMap<string, ToolFinishedEntry>;
  notes: UserEntry[];
  /** The summary that stood in the prompt of this answer. */
  askedWith: Summary | null;
}

/** Stands in the prompt for the first `turns` turns. */
export interface Summary {
  messageId: string;
  turns: number;
  text: string;
}

/** A journal read as a conversation. */
export interface Conversation {
  opening: UserEntry[];
  /** What counts: without what a person took back, with what a summary stands for. */
  turns: Turn[];
  summary: Summary | null;
  /** Summaries made since the last answer, those that came to nothing included. */
  summariesSinceAnswer: number;
  /** Of the whole journal, whether or not it still counts. */
  known: { answers: number; messageIds: ReadonlySet<string>; callIds: ReadonlySet<string> };
}

/** Reads any prefix of a journal; entries of calls that no answer made are left out. */
export function readConversation(entries: readonly Entry[]): Conversation {
  const reader = createReader();
  for (const entry of entries) reader.take(entry);
  return reader.conversation();
}

type OpenTurn = Turn & {
  started: Set<string>;
  held: Map<string, string>;
  results: Map<string, ToolFinishedEntry>;
};

function createReader() {
  const opening: UserEntry[] = [];
  const known = { answers: 0, messageIds: new Set<string>(), callIds: new Set<string>() };
  const turnOfCall = new Map<string, OpenTurn>();
  let turns: OpenTurn[] = [];
  let summaries: Summary[] = [];
  let summariesSinceAnswer = 0;

  function take(entry: Entry): void {
    switch (entry.kind) {
      case 'user':
        (turns.at(-1)?.notes ?? opening).push(entry);
        break;
      case 'answer':
        takeAnswer(entry);
        break;
      case 'toolStarted':
        turnOfCall.get(entry.callId)?.started.add(entry.callId);
        break;
      case 'toolHeld':
        turnOfCall.get(entry.callId)?.held.set(entry.callId, entry.approvalId);
        break;
      case 'toolFinished':
        turnOfCall.get(entry.callId)?.results.set(entry.callId, entry);
        break;
      case 'compaction':
        takeSummary(entry);
        break;
      case 'rewind':
        turns = turns.slice(0, entry.turns);
        summaries = summaries.filter((summary) => summary.turns <= turns.length);
        summariesSinceAnswer = 0;
        break;
    }
  }

  function takeAnswer(answer: AnswerEntry): void {
    const turn = openTurn(answer, summaries.at(-1) ?? null);
    turns.push(turn);
    summariesSinceAnswer = 0;
    known.answers += 1;
    known.messageIds.add(answer.messageId);
    for (const { id } of turn.calls) {
      known.callIds.add(id);
      turnOfCall.set(id, turn);
    }
  }

  // A call for a summary that came to nothing is kept for its cost, and stands for nothing.
  function takeSummary({ messageId, turns: covered, summary: text }: CompactionEntry): void {
    summariesSinceAnswer += 1;
    known.messageIds.add(messageId);
    const count = Math.min(covered, turns.length);
    if (count > 0 && text.trim() !== '') summaries.push({ messageId, turns: count, text });
  }

  return {
    take,
    conversation: (): Conversation => ({
      ...{ opening, turns, summary: summaries.at(-1) ?? null, summariesSinceAnswer, known },
    }),
  };
}

function openTurn(answer: AnswerEntry, askedWith: Summary | null): OpenTurn {
  const calls = answer.content.filter((block) => block.type === 'tool_use');
  const none = { started: new Set<string>(), held: new Map(), results: new Map(), notes: [] };
  return { answer, calls, ...none, askedWith };
}

/** The calls of the last answer that have no result yet, in call order. */
export function openCalls(conversation: Conversation): CallBlock[] {
  const last = conversation.turns.at(-1);
  return last?.calls.filter((call) => !last.results.has(call.id)) ?? [];
}

export function textOf(answer: AnswerEntry): string {
  return answer.content
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('');
}

/** Answers that were asked for with the summary that stands now. */
export function turnsSinceSummary({ turns, summary }: Conversation): number {
  return turns.filter((turn) => turn.askedWith?.messageId === summary?.messageId).length;
}

/** Whether a summary was made after the last answer. */
export function isFreshlySummarized(conversation: Conversation): boolean {
  return conversation.summary !== null && turnsSinceSummary(conversation) === 0;
}
