import { isHopeless, overflowed } from './context-overflow.ts';
import { type ContextFrame, type ContextPlan, planContext, triggerTokens } from './context-plan.ts';
import { loadMedia } from './load-media.ts';
import { showsMedia } from './media-blocks.ts';
import { type LoopState, takeModelTurn } from './model-turn.ts';
import { mediaNote } from './notes.ts';
import type { HarnessOutcome } from './outcome.ts';
import { buildRequest, frameOf } from './request.ts';
import { summarize, turnsToSummarize } from './summarize.ts';

/** Asks for the next answer, or first makes the conversation fit. Null: the run goes on. */
export async function ask(state: LoopState): Promise<HarnessOutcome | null> {
  const { job, conversation, ports } = state;
  if (await ports.journal.takeMessages()) return null;
  const frame = frameOf(job, ports.tools.tools);
  const whole = planContext(conversation, frame, false);
  if (whole.tokens <= triggerTokens(frame)) return askWith(state, whole, frame);
  const covered = turnsToSummarize(conversation, whole, frame, 'large');
  if (covered !== null) return summarize(state, covered, whole, frame);
  const plan = planContext(conversation, frame, true);
  return isHopeless(plan, frame) ? shrink(state, plan, frame, null) : askWith(state, plan, frame);
}

async function askWith(
  state: LoopState,
  plan: ContextPlan,
  frame: ContextFrame,
): Promise<HarnessOutcome | null> {
  const { job, conversation, ports } = state;
  const media = await loadMedia(job, conversation, plan, ports);
  const request = buildRequest(job, ports.tools.tools, conversation, plan, media);
  const turn = await takeModelTurn(state, request, plan.tokens);
  if (turn.kind === 'tooLong') return shrink(state, plan, frame, turn.message);
  if (turn.kind === 'none') return turn.outcome;
  if (turn.kind === 'refused') {
    if (!showsMedia(media)) return turn.outcome;
    await ports.journal.append('run.note', mediaNote(turn.message));
    return null;
  }
  await ports.journal.answer(turn.answer);
  return null;
}

/** As it is, the conversation cannot be sent. `refusal` is what the server said of it. */
function shrink(
  state: LoopState,
  plan: ContextPlan,
  frame: ContextFrame,
  refusal: string | null,
): Promise<HarnessOutcome | null> {
  const covered = turnsToSummarize(state.conversation, plan, frame, 'tooLarge');
  return covered === null
    ? Promise.resolve(overflowed(state, plan, frame, refusal))
    : summarize(state, covered, plan, frame);
}

/** Makes room after an answer that stopped where the window ended. Null: the run goes on. */
export function makeRoom(state: LoopState): Promise<HarnessOutcome | null> {
  const frame = frameOf(state.job, state.ports.tools.tools);
  const refusal = 'The model stopped where its window ended.';
  return shrink(state, planContext(state.conversation, frame, false), frame, refusal);
}
