/** Characters that are not seen, or that turn the direction of what follows: with them a text reads as another than it is. */
const UNSEEN =
  /(?![\t\n]|\r\n)[[\p{Cc}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb\p{DI}]--[\u200c\u200d\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]|(?<=[!-~])[\u200c\u200d]|(?<=[a-z\/.\-])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/giv;

/** The text with every such character by its number, as `[U+202E]`: for what a person judges to the letter. */
export function visibleText(text: string): string {
  return text.replaceAll(
    UNSEEN,
    (one) => `[U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}
