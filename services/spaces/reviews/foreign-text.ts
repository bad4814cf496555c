/** Shows nothing and has no width; it keeps two characters from being read as one mark. */
const APART = '\u200B';
const TAG = /<(?=[a-z/!?])/gi;
/** Of what begins a name, each spelling. */
const MENTION = /(?:@|&#0*64;|&#x0*40;|&commat;)(?=[^\s@])/gi;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** A fence within something else, or a tag that may begin a block: only a whole reader of Markdown could say where that ends. */
const UNSURE = /^[\s>*+\-.)\d]*<[a-z/!?]|^[\s>*+\-.)\d]+(?:`{3,}|~{3,})/i;
const LINE_END = /\r\n?/g;
const CUT = '… (cut; the whole stands in Control Center)';

/**
 * Another's Markdown as a text of its own that notifies nobody: an agent may have been talked into any name. Code in fences
 * is left as it is, where a provider reads no names.
 */
export function withoutMentions(markdown: string): string {
  return outsideCode(markdown, (line) => line.replace(MENTION, `$&${APART}`));
}

/**
 * Another's Markdown as part of a longer text, quoted: no fence, comment or tag in it reaches beyond it, so that it hides
 * nothing of what follows; and it notifies nobody.
 * @param limit in characters; what does not fit is cut at a line, and the cut said
 */
export function quoted(markdown: string, limit = Number.POSITIVE_INFINITY): string {
  const inert = outsideCode(markdown.trim(), (line) =>
    line.replace(MENTION, `$&${APART}`).replace(TAG, `<${APART}`),
  );
  let text = '';
  for (const line of inert.split('\n')) {
    const next = `${text === '' ? '' : '\n'}> ${line}`;
    if (text.length + next.length > limit) return `${text}\n> ${CUT}`.trim();
    text += next;
  }
  return text;
}

/** Another's words as one line of plain text; `limit` in characters. */
export function inOneLine(text: string, limit: number): string {
  const line = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .replace(MENTION, `$&${APART}`)
    .replace(TAG, `<${APART}`);
  return line.length <= limit ? line : `${line.slice(0, limit).toWellFormed()}…`;
}

/** Leaves fences alone that begin with their line: they stand for themselves. After what is unsure nothing is taken for code. */
function outsideCode(markdown: string, change: (line: string) => string): string {
  let fence: string | null = null;
  let isSure = true;
  const changed = (line: string): string => {
    if (fence !== null) {
      if (FENCE_END.exec(line)?.[1]?.startsWith(fence)) fence = null;
      return line;
    }
    isSure &&= !UNSURE.test(line);
    if (isSure) fence = FENCE.exec(line)?.[1] ?? null;
    return change(line);
  };
  return markdown.replace(LINE_END, '\n').split('\n').map(changed).join('\n');
}
