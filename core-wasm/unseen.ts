/**
 * Characters that are not seen, or that turn the direction of what follows: with them a line reads as another than it is.
 * Variation selectors are none of them, nor are joiners beside letters that join, since emoji and some scripts are written
 * with them.
 */
const UNSEEN =
  /[[\p{DI}\p{Bidi_Control}\ufff9-\ufffb]--[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]|(?<=[!-~\p{scx=Latn}\p{scx=Cyrl}\p{scx=Grek}])[\u200c\u200d]/gv;
/** What by itself shows nothing. */
const NOTHING = /^[\s\u2800\p{DI}]*$/u;

/** What is wrong with a line that people are to read as what it is, and where; null when nothing is. */
export function unseenFault(line: string): string | null {
  if (NOTHING.test(line)) return 'must not be blank';
  const at = line.search(UNSEEN);
  if (at < 0) return null;
  const number = (line.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const place = [...line.slice(0, at)].length + 1;
  return `has U+${number} as character ${place}, which is not seen or turns the direction of what follows; leave it out`;
}

/** The text without such characters. */
export function withoutUnseen(text: string): string {
  return text.replaceAll(UNSEEN, '');
}

/** The same for two names that look the same; of letters that are drawn alike, each stays its own. */
export function nameKey(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{DI}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
