const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/**
 * How well a text answers to a query, from 0 (not at all) to 1. Every word of the query has to be in the text; the beginning of
 * the text counts more than that of a word, and that more than its middle. Accents and case do not matter.
 */
export function findScore(text: string, query: string): number {
  const [inText, words] = [plain(text), plain(query).split(/\s+/).filter(Boolean)];
  let score = 1;
  for (const word of words) {
    const at = inText.indexOf(word);
    if (at < 0) return 0;
    if (at > 0) score *= new RegExp(`[^\\p{L}\\p{N}]${RegExp.escape(word)}`, 'u').test(inText) ? 0.8 : 0.5;
  }
  return score;
}
