import { concludeAnswer, isCut, stopped } from './completion.ts';
import {
  type CallBlock,
  type Conversation,
  isFreshlySummarized,
  openCalls,
  type Turn,
} from './conversation.ts';
import type { HarnessJob } from './job.ts';
import type { UserEntry } from './journal.ts';
import { findLoops } from './loop-detection.ts';
import { CUT_NOTE, LOOP_NOTE } from './notes.ts';
import type { HarnessOutcome } from './outcome.ts';
import type { HarnessTool } from './tool-port.ts';

export type Step =
  | { kind: 'note'; note: UserEntry }
  | { kind: 'calls'; calls: CallBlock[]; turn: Turn }
  | { kind: 'ask' }
  /** The last answer stopped where the context window ended. */
  | { kind: 'makeRoom' }
  | { kind: 'end'; outcome: HarnessOutcome };

/** What to do next, from the journal alone: that is why a run goes on after a crash as if there had been none. */
export function nextStep(job: HarnessJob, tools: readonly HarnessTool[], conversation: Conversation): Step {
  const { opening, turns } = conversation;
  if (opening.length === 0 && turns.length === 0) {
    return { kind: 'note', note: { kind: 'user', cause: 'prompt', text: job.prompt } };
  }
  const turn = turns.at(-1);
  if (turn === undefined) return ask(job, conversation);
  const calls = openCalls(conversation);
  if (calls.length > 0) return { kind: 'calls', calls, turn };
  return loopStep(turns, tools, turn) ?? cutStep(conversation, turn) ?? answerStep(job, conversation, turn);
}

function ask(job: HarnessJob, { known }: Conversation): Step {
  if (known.answers < job.maxTurns) return { kind: 'ask' };
  return end(
    'failed',
    'silentRun',
    `The run used all of its ${job.maxTurns} turns and did not come to an end.`,
  );
}

function loopStep(turns: readonly Turn[], tools: readonly HarnessTool[], turn: Turn): Step | null {
  const loops = findLoops(turns, tools);
  if (loops.length > 1) {
    return end(
      'looping',
      'silentRun',
      'The run repeated the same calls with the same results, also after it was told so.',
    );
  }
  const isNew = loops.length === 1 && loops[0] === turns.length - 1;
  return isNew && !hasNote(turn, LOOP_NOTE) ? { kind: 'note', note: LOOP_NOTE } : null;
}

function cutStep(conversation: Conversation, turn: Turn): Step | null {
  const { stopReason } = turn.answer;
  if (!isCut(turn.answer) || hasNote(turn, CUT_NOTE)) return null;
  const isFull = stopReason !== 'max_tokens' && !isFreshlySummarized(conversation);
  return isFull ? { kind: 'makeRoom' } : { kind: 'note', note: CUT_NOTE };
}

function answerStep(job: HarnessJob, conversation: Conversation, turn: Turn): Step {
  const isOver =
    turn.answer.stopReason !== 'pause_turn' && turn.calls.length === 0 && turn.notes.length === 0;
  if (!isOver) return ask(job, conversation);
  if (turn.answer.stopReason === 'refusal') return end('failed', 'refused', 'The model refused to go on.');
  const conclusion = concludeAnswer(job, conversation);
  return 'note' in conclusion
    ? { kind: 'note', note: conclusion.note }
    : { kind: 'end', outcome: conclusion.outcome };
}

function end(liveness: 'failed' | 'looping', family: 'silentRun' | 'refused', summary: string): Step {
  return { kind: 'end', outcome: stopped('failed', liveness, family, summary) };
}

function hasNote(turn: Turn, note: UserEntry): boolean {
  return turn.notes.some((entry) => entry.text === note.text);
}
