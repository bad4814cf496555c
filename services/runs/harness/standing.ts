import { hasSucceeded } from './completion.ts';
import type { Conversation } from './conversation.ts';
import type { HarnessJob } from './job.ts';
import { productOf } from './notes.ts';
import type { HarnessOutcome } from './outcome.ts';

export type StandingContract = Pick<HarnessJob, 'exitVerb' | 'outputSchema'>;

/** An outcome that is no result, with a summary that also says what was not produced and where the run stood. */
export function withStanding(
  contract: StandingContract,
  conversation: Conversation,
  outcome: HarnessOutcome,
): HarnessOutcome {
  const { status, errorFamily, summary } = outcome;
  const isResult = status === 'completed' && errorFamily !== 'silentRun';
  if (isResult || status === 'suspended' || status === 'cancelled') return outcome;
  const parts = [summary, missing(contract, conversation), whereItStood(conversation)];
  return { ...outcome, summary: parts.filter((part) => part !== null).join(' ') };
}

/** Null: what was asked for is there. */
function missing({ exitVerb, outputSchema }: StandingContract, conversation: Conversation): string | null {
  if (exitVerb !== null && !hasSucceeded(exitVerb, conversation))
    return `No ${productOf(exitVerb)} was produced.`;
  if (outputSchema !== null) return 'No valid output was produced.';
  return exitVerb === null ? 'No final answer was given.' : null;
}

function whereItStood({ known, turns }: Conversation): string {
  const answers = known.answers === 1 ? '1 answer' : `${known.answers} answers`;
  const last = turns.flatMap((turn) => turn.calls).at(-1);
  return `It stood at ${answers}${last === undefined ? '' : `, its last call was ${last.name}`}.`;
}
