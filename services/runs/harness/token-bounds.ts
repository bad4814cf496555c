import type { AnswerEntry, MediaRef, ToolFinishedEntry, UserEntry } from './journal.ts';

/** What a block costs besides its text: its type, ids and braces. */
const BLOCK_BYTES = 100;
const IMAGE_TOKENS = 1_600;
const PAGE_TOKENS = 2_500;
/** How many pages a document has, nobody says before it is read: one for so many bytes, as many as a server takes. */
const BYTES_A_PAGE = 30_000;
const MOST_PAGES = 100;
/** Reported sizes that are further below the bound than this are not sizes of the whole prompt. */
const LEAST_SHARE = 1 / 8;

/** Tokens a text has at most; real tokenizers make one of about four bytes. */
export function tokensUpperBound(text: string): number {
  return tokensOfBytes(Buffer.byteLength(text));
}

function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / 3);
}

// Entries never change, and each is measured for every request that follows it.
const measured = new WeakMap<object, number>();

function once<T extends object>(entry: T, measure: () => number): number {
  const known = measured.get(entry);
  if (known !== undefined) return known;
  const tokens = measure();
  measured.set(entry, tokens);
  return tokens;
}

/** As `tokensUpperBound`, of an answer as it stands in later prompts. */
export function answerTokens(entry: AnswerEntry): number {
  return once(entry, () => tokensOfBytes(Buffer.byteLength(JSON.stringify(entry.content)) + BLOCK_BYTES));
}

export function resultTokens(entry: ToolFinishedEntry): number {
  return once(entry, () => {
    const { content, media = [] } = entry;
    const text = tokensOfBytes(Buffer.byteLength(JSON.stringify(content)) + BLOCK_BYTES);
    return media.reduce((sum, medium) => sum + mediumTokens(medium), text);
  });
}

export function noteTokens({ text }: UserEntry): number {
  return tokensOfBytes(Buffer.byteLength(JSON.stringify(text)) + BLOCK_BYTES);
}

function mediumTokens({ mediaType, bytes }: MediaRef): number {
  if (mediaType !== 'application/pdf') return IMAGE_TOKENS;
  return PAGE_TOKENS * Math.min(MOST_PAGES, Math.ceil(bytes / BYTES_A_PAGE));
}

/**
 * The tokens of an answer and of its whole prompt as the server counted them; null when it did not, or counted only a
 * part of them (some servers leave out what their cache held).
 * @param boundTokens what they are at most by our own bound
 */
export function reportedTokens({ usage }: AnswerEntry, boundTokens: number): number | null {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return prompt === 0 || prompt + usage.output < boundTokens * LEAST_SHARE ? null : prompt + usage.output;
}
