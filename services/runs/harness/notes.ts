import type { UserEntry } from './journal.ts';
import type { SchemaFault } from './output-schema.ts';

export const INTERRUPTED =
  'This call was interrupted by a restart; it may or may not have taken effect. Check before you repeat it.';

export const CLEARED = '[This older result was removed to save space. Call the tool again if you need it.]';

export const WITHHELD =
  '[This result was left out: with it the conversation would not fit the context window. Ask for a smaller part of it.]';

export const REFUSED_MEDIA =
  '[This result was left out: the model server refused the conversation with the image or document that it showed.]';

export const EMPTY_RESULT = '(no output)';

/** Fills a user turn that has nothing to say, since the conversation has to end with the user. */
export const GO_ON = 'Go on.';

export const CUT_NOTE: UserEntry = {
  kind: 'user',
  cause: 'steer',
  text: 'Your last answer reached a limit of tokens and was cut off there. A tool call that was not complete was dropped and did not run. Go on from where you were, in smaller parts.',
};

export const LOOP_NOTE: UserEntry = {
  kind: 'user',
  cause: 'steer',
  text: 'You have made the same calls with the same results three times. Repeating them again will end the run. Do something else, or say what blocks you.',
};

/** `which` says what budgets are nearly used. */
export function budgetNote(which: string): UserEntry {
  const text = `${which} Finish now: bring what you have to a usable state and give your final answer.`;
  return { kind: 'user', cause: 'budget', text };
}

/** `refusal` is what the server said. */
export function mediaNote(refusal: string): UserEntry {
  const text = `${refusal}\nSo what a tool showed you was taken out of the conversation. Make another form of what you still need to see, or its text, and look at that; or go on without it.`;
  return { kind: 'user', cause: 'mediaRefused', text };
}

/** What the exit verb would have produced, for the nudge and for the summary of a silent run. */
const PRODUCTS: Record<string, string> = {
  submit_plan: 'plan',
  propose_orchestration: 'proposal',
};

export function productOf(exitVerb: string): string {
  return PRODUCTS[exitVerb] ?? `result of ${exitVerb}`;
}

export function nudge(exitVerb: string): UserEntry {
  const product = productOf(exitVerb);
  return {
    kind: 'user',
    cause: 'nudge',
    text: `You ended without a successful call of \`${exitVerb}\`. The ${product} does not exist until that call succeeds; text in an answer does not count. Call \`${exitVerb}\` now. If no ${product} is needed here, say so in one sentence ("no ${product} is needed here") and why.`,
  };
}

export function repair(faults: readonly SchemaFault[]): UserEntry {
  const list = faults.map((fault) => `- ${fault.path}: ${fault.message}`).join('\n');
  return {
    kind: 'user',
    cause: 'repair',
    text: `Your final answer does not match the output schema:\n${list}\nAnswer again with the whole corrected JSON in one \`\`\`json block.`,
  };
}
