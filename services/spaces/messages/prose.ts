const BLANK = ' ';

/**
 * The Markdown text with everything that is no prose (code spans and blocks, URLs, link targets, HTML code and comments)
 * replaced by blanks: the same length, the same line ends.
 */
export function proseOf(markdown: string): string {
  return withoutUrls(withoutCodeSpans(withoutHtml(withoutCodeBlocks(markdown))));
}

function blank(text: string): string {
  return text.replace(/[^\n]/gu, (character) => BLANK.repeat(character.length));
}

function withoutCodeBlocks(markdown: string): string {
  let fence: string | null = null;
  let indented: 'no' | 'possible' | 'code' = 'possible';
  let inList = false;
  const lines = markdown.split('\n').map((line) => {
    const marker = fenceOf(line);
    if (fence !== null) {
      if (closes(line, fence)) fence = null;
      return blank(line);
    }
    if (marker) {
      fence = marker;
      return blank(line);
    }
    if (line.trim() === '') {
      if (indented === 'no') indented = 'possible';
      return line;
    }
    if (/^( {4}|\t)/.test(line)) {
      if (indented === 'no' || inList) return line;
      indented = 'code';
      return blank(line);
    }
    indented = 'no';
    inList = /^ {0,3}([-*+]|\d{1,9}[.)])\s/.test(line) || (inList && /^ {2,3}\S/.test(line));
    return line;
  });
  return lines.join('\n');
}

// A fence may stand in a quote or a list item; a backtick fence has no backtick in its info string.
function fenceOf(line: string): string | null {
  const match = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
  return match?.[1] ?? null;
}

function closes(line: string, fence: string): boolean {
  const text = line.replace(/^[ \t>]*/, '').trimEnd();
  return text.length >= fence.length && text === fence[0]?.repeat(text.length);
}

function withoutHtml(text: string): string {
  return text.replace(/<!--[\s\S]*?(?:-->|$)|<(code|pre)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, blank);
}

// A run of backticks closes at the next run of the same length in its paragraph; without one it is text.
function withoutCodeSpans(text: string): string {
  return text.replace(
    /\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)((?:(?!\n[ \t]*\n)[\s\S])*?[^`])\1(?!`)/g,
    (whole, run) => (run ? blank(whole) : whole),
  );
}

const URL_RUN = /(?:[a-z][a-z0-9+.-]{0,31}:\/\/|www\.|mailto:)[!-;=?-~]+/gi;
const LINK_TARGET = /\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+["'][^"'\n]*["'])?\)/g;
const LINK_DEFINITION = /^ {0,3}\[[^\]\n]+\]:[^\n]*$/gm;

function withoutUrls(text: string): string {
  return text.replace(LINK_DEFINITION, blank).replace(LINK_TARGET, blank).replace(URL_RUN, blank);
}
