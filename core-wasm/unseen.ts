/**
 * Characters that are not seen, or that turn the direction of what follows: with them a line reads as another than it is.
 * Joiners and variation selectors are none of them, since emoji and some scripts are written with them.
 */
const UNSEEN =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;
/** What by itself shows nothing. */
const NOTHING = /^(?:\s|\u200c|\u200d|[\ufe00-\ufe0f])*$/u;

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
