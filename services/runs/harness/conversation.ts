import type { AnswerEntry, AssistantBlock, Entry, ToolFinishedEntry, UserEntry } from './journal.ts';

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
}

/** A journal read as a conversation. */
export interface Conversation {
  opening: UserEntry[];
  turns: Turn[];
}

/** Reads any prefix of a journal; entries of calls that no answer made are left out. */
export function readConversation(entries: readonly Entry[]): Conversation {
  const opening: UserEntry[] = [];
  const turns: OpenTurn[] = [];
  const turnOfCall = new Map<string, OpenTurn>();
  for (const entry of entries) {
    if (entry.kind === 'user') (turns.at(-1)?.notes ?? opening).push(entry);
    else if (entry.kind === 'answer') turns.push(openTurn(entry, turnOfCall));
    else if (entry.kind === 'toolStarted') turnOfCall.get(entry.callId)?.started.add(entry.callId);
    else if (entry.kind === 'toolHeld')
      turnOfCall.get(entry.callId)?.held.set(entry.callId, entry.approvalId);
    else if (entry.kind === 'toolFinished') turnOfCall.get(entry.callId)?.results.set(entry.callId, entry);
  }
  return { opening, turns };
}

type OpenTurn = Turn & {
  started: Set<string>;
  held: Map<string, string>;
  results: Map<string, ToolFinishedEntry>;
};

function openTurn(answer: AnswerEntry, turnOfCall: Map<string, OpenTurn>): OpenTurn {
  const calls = answer.content.filter((block) => block.type === 'tool_use');
  const none = { started: new Set<string>(), held: new Map(), results: new Map(), notes: [] };
  const turn: OpenTurn = { answer, calls, ...none };
  for (const call of calls) turnOfCall.set(call.id, turn);
  return turn;
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
