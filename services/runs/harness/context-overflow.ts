import { shortened, stopped } from './completion.ts';
import type { ContextFrame, ContextPlan } from './context-plan.ts';
import type { LoopState } from './model-turn.ts';
import type { HarnessOutcome } from './outcome.ts';
import { noteTokens } from './token-bounds.ts';

/** Our bound of a text is at most this much above what real tokenizers make of it. */
const LEAST_OF_BOUND = 0.6;

/** Whether the prompt cannot fit the window, however few tokens its bytes turn out to be. */
export function isHopeless(plan: ContextPlan, frame: ContextFrame): boolean {
  return plan.tokens * LEAST_OF_BOUND > frame.window;
}

/** The end of a run whose conversation cannot be made to fit: what was tried, how large it was, how to mend it. */
export function overflowed(
  { job, conversation }: LoopState,
  plan: ContextPlan,
  frame: ContextFrame,
  refusal: string | null,
): HarnessOutcome {
  const size = `about ${inWords(plan.tokens)} tokens, ${inWords(frame.answer)} more are held back for the answer`;
  const parts = [
    `The conversation does not fit the context window of ${job.model.id}: ${size}, and the window is ${inWords(frame.window)}.`,
    refusal === null ? null : shortened(refusal),
    tried(
      conversation.turns.length,
      conversation.summary?.turns ?? 0,
      plan,
      conversation.summariesSinceAnswer,
    ),
    baseOf(conversation.opening, frame),
    mend(job.contextTokens),
  ];
  const summary = parts.filter((part) => part !== null).join(' ');
  return stopped('failed', 'failed', 'contextOverflow', summary);
}

function tried(turns: number, summarized: number, { cleared }: ContextPlan, summaries: number): string {
  const done = [
    cleared.size > 0 ? `${cleared.size} tool results were left out` : null,
    summarized > 0 ? `a summary stands for ${summarized} of ${turns} answers` : null,
    summaries > 0 && summarized === 0 ? `a summary was asked for and came to nothing` : null,
  ].filter((part) => part !== null);
  return done.length === 0
    ? 'There was nothing that could be left out or summarized.'
    : `Tried: ${done.join(', ')}.`;
}

function baseOf(opening: LoopState['conversation']['opening'], frame: ContextFrame): string | null {
  const base = frame.fixed + opening.reduce((sum, note) => sum + noteTokens(note), 0);
  return base * 2 < frame.window
    ? null
    : `System prompt, tools and task alone are up to ${inWords(base)} tokens.`;
}

function mend(contextTokens: number | null): string {
  const larger =
    contextTokens === null
      ? 'Choose a model with a larger window'
      : `Raise the agent's contextSize (${inWords(contextTokens)}) as far as its model allows`;
  return `${larger}, or split the task into smaller ones.`;
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}
