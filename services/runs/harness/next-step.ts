import { concludeAnswer, stopped } from './completion.ts';
import { type CallBlock, type Conversation, openCalls, type Turn } from './conversation.ts';
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
  | { kind: 'end'; outcome: HarnessOutcome };

/** What to do next, from the journal alone: that is why a run goes on after a crash as if there had been none. */
export function nextStep(job: HarnessJob, tools: readonly HarnessTool[], conversation: Conversation): Step {
  const { opening, turns } = conversation;
  if (opening.length === 0 && turns.length === 0) {
    return { kind: 'note', note: { kind: 'user', cause: 'prompt', text: job.prompt } };
  }
  const turn = turns.at(-1);
  if (turn === undefined) return ask(job, turns);
  const calls = openCalls(conversation);
  if (calls.length > 0) return { kind: 'calls', calls, turn };
  return loopStep(turns, tools, turn) ?? cutStep(turn) ?? answerStep(job, conversation, turn);
}

function ask(job: HarnessJob, turns: readonly Turn[]): Step {
  if (turns.length < job.maxTurns) return { kind: 'ask' };
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

function cutStep(turn: Turn): Step | null {
  const isCut = turn.answer.stopReason === 'max_tokens' && !hasNote(turn, CUT_NOTE);
  return isCut ? { kind: 'note', note: CUT_NOTE } : null;
}

function answerStep(job: HarnessJob, conversation: Conversation, turn: Turn): Step {
  if (turn.calls.length > 0 || turn.notes.length > 0) return ask(job, conversation.turns);
  if (turn.answer.stopReason === 'refusal') return end('failed', 'refused', 'The model refused to go on.');
  if (turn.answer.stopReason === 'model_context_window_exceeded') {
    return end(
      'failed',
      'contextOverflow',
      'The conversation no longer fits the context window of the model.',
    );
  }
  const conclusion = concludeAnswer(job, conversation);
  return 'note' in conclusion
    ? { kind: 'note', note: conclusion.note }
    : { kind: 'end', outcome: conclusion.outcome };
}

function end(
  liveness: 'failed' | 'looping',
  family: 'silentRun' | 'refused' | 'contextOverflow',
  summary: string,
): Step {
  return { kind: 'end', outcome: stopped('failed', liveness, family, summary) };
}

function hasNote(turn: Turn, note: UserEntry): boolean {
  return turn.notes.some((entry) => entry.text === note.text);
}
