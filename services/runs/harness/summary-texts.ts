import type { Conversation, Summary } from './conversation.ts';

/** People's messages are kept word by word up to so many characters in all, from the newest on. */
const PEOPLE_CHARS = 20_000;
/** What is left of each message beyond that. */
const LEFT_CHARS = 400;
const WORDS_A_TOKEN = 0.6;
const SUMMARY_SHARE = 0.04;
const [LEAST_WORDS, MOST_WORDS] = [250, 4_000];

/** What stands in the prompt in place of the turns of a summary: the summary, and what people wrote in that time. */
export function summaryTexts({ turns }: Conversation, summary: Summary | null): string[] {
  if (summary === null) return [];
  const notes = turns.slice(0, summary.turns).flatMap((turn) => turn.notes);
  const messages = notes.filter((note) => note.cause === 'message').map((note) => note.text);
  return [`${heading(summary.turns)}\n\n${summary.text}`, ...keptMessages(messages)];
}

function heading(turns: number): string {
  const what = turns === 1 ? 'your first answer and what followed it' : `your first ${turns} answers`;
  return `To save space, ${what} ${turns === 1 ? 'was' : 'were'} replaced by this summary, which you wrote yourself. The task above is unchanged.`;
}

function keptMessages(messages: readonly string[]): string[] {
  let left = PEOPLE_CHARS;
  return messages
    .toReversed()
    .map((text) => {
      if (text.length <= left) {
        left -= text.length;
        return text;
      }
      left = 0;
      return `${text.slice(0, LEFT_CHARS).toWellFormed()} [… ${text.length} characters in all, cut to save space …]`;
    })
    .toReversed()
    .map((text) => `In that time somebody wrote to you, word by word:\n\n${text}`);
}

/** Asks for the summary. `window` in tokens. */
export function summaryRequest(window: number): string {
  const words = Math.floor(window * SUMMARY_SHARE * WORDS_A_TOKEN);
  const most = Math.min(MOST_WORDS, Math.max(LEAST_WORDS, words));
  return `This conversation no longer fits your context window. Write the summary that will stand in its place: from here on you see the task, this summary and your newest answers, and nothing else of what is above. Write in at most ${most} words:

1. What was asked, by whom, and every wish, limit and decision that people have stated since, in their own words.
2. What was done, with exact names: files read and changed, commands and how they ended, tickets, ids, numbers.
3. What was found out that is still needed, errors and dead ends among it.
4. Where the work stands, what is not finished, and the next steps in order.

State only what is above; say of what is uncertain that it is. Call no tool. Answer with the summary alone.`;
}
