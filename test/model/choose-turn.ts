import type { MessagesRequest, RequestMessage } from './messages-request.ts';
import { blocksOf, conversationOf, systemTextOf, textOf } from './messages-request.ts';
import type { ModelScript, ScriptedDialogue, ScriptedTurn, TurnSource } from './script.ts';

/** What to answer: `turn` counts from 0 within the conversation; `dialogue` is null when none matched. */
export interface ChosenTurn {
  dialogue: string | null;
  turn: number;
  answer: ScriptedTurn;
}

/** The script has nothing for this request. */
export class NoTurnError extends Error {
  constructor(
    message: string,
    readonly dialogue: string | null,
    readonly turn: number,
  ) {
    super(message);
  }
}

function isFound(wanted: string | RegExp, text: string): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : text.search(wanted) >= 0;
}

function isMatch(when: ScriptedDialogue['when'], request: MessagesRequest): boolean {
  const { system, user, model, tool } = when;
  if (model !== undefined && request.model !== model) return false;
  if (tool !== undefined && !request.tools?.some((offered) => offered.name === tool)) return false;
  if (system !== undefined && !isFound(system, systemTextOf(request))) return false;
  if (user === undefined) return true;
  return request.messages.some(
    (message) => message.role === 'user' && isFound(user, textOf(message.content)),
  );
}

/** Ids of the calls whose results say, as an error, that they were interrupted. */
function interruptedIds(message: RequestMessage | undefined): Set<string> {
  const ids = new Set<string>();
  if (message?.role !== 'user') return ids;
  for (const block of blocksOf(message.content)) {
    const isInterrupted =
      block.type === 'tool_result' &&
      block.is_error === true &&
      /\binterrupted\b/i.test(textOf(block.content));
    if (isInterrupted && block.tool_use_id !== undefined) ids.add(block.tool_use_id);
  }
  return ids;
}

/** Index of the turn that answers: assistant messages so far, less those whose calls have to be repeated. */
export function turnIndexOf(conversation: RequestMessage[]): number {
  const said = conversation.filter((message) => message.role === 'assistant').length;
  const interrupted = conversation.filter((message) => interruptedIds(message).size > 0).length;
  return said - interrupted;
}

/** The interrupted calls again, or null when the last message interrupts none. */
function repeatOf(conversation: RequestMessage[]): ScriptedTurn | null {
  const ids = interruptedIds(conversation.at(-1));
  if (ids.size === 0) return null;
  const calls = blocksOf(conversation.at(-2)?.content).filter(
    (block) => block.type === 'tool_use' && ids.has(block.id ?? ''),
  );
  return { tools: calls.map((call) => ({ name: call.name ?? '', input: call.input })) };
}

/**
 * Chooses the answer from the request alone, so a client that was killed and resumed gets the right one.
 * @throws NoTurnError when the script has no turn for it and no `otherwise`.
 */
export function chooseTurn(script: ModelScript, request: MessagesRequest): ChosenTurn {
  const conversation = conversationOf(request);
  const turn = turnIndexOf(conversation);
  const dialogue = script.dialogues.find((candidate) => isMatch(candidate.when, request));
  const name = dialogue?.name ?? null;
  // A model that may not call tools can repeat none.
  const repeat = request.tool_choice?.type === 'none' ? null : repeatOf(conversation);
  if (repeat !== null) return { dialogue: name, turn, answer: repeat };
  const source: TurnSource | undefined = dialogue?.turns[turn] ?? script.otherwise;
  if (source === undefined) {
    const reason = dialogue
      ? `dialogue "${dialogue.name}" has no turn ${turn}`
      : 'no dialogue matches the request';
    throw new NoTurnError(`The script "${script.name}" has no answer: ${reason}.`, name, turn);
  }
  return { dialogue: name, turn, answer: typeof source === 'function' ? source(request) : source };
}
