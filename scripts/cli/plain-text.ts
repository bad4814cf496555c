// What agents and repositories wrote must not move the cursor, recolour, retitle or write to the clipboard of the
// terminal it is shown on: every control character but newline and tab is made visible, and so are the marks that
// reorder text or end lines unseen.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text, safe for a terminal; a carriage return before a newline is dropped. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSAFE, (found) => {
    const code = found.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** JSON for programs that a terminal may show as well: the same marks as escapes, which are JSON too. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNSAFE,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Text on one line of at most `width` columns, cut with an ellipsis. */
export function plainLine(text: string, width: number): string {
  return cutTo(plainText(text).replace(/\s+/g, ' ').trim(), width);
}

/** Cuts to a width in terminal columns (wide characters count two). */
export function cutTo(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text;
  let out = '';
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += Bun.stringWidth(segment);
    if (used > Math.max(0, width - 1)) break;
    out += segment;
  }
  return `${out}…`;
}

export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - Bun.stringWidth(text)));
}
