import { nearestPlace, shownDifference } from './file-edit-nearest.ts';

/** Why a text that was to be replaced is not there, in words that say how to mend it; `line` counts from 1. */
interface Miss {
  hint: string;
  line: number | null;
}

/** Less says nothing about whether an edit was made before: it stands everywhere. */
const TELLING_CHARACTERS = 10;
const MAX_SHOWN_LINES = 12;
/** Of a longer file no line is compared but as it stands: that would hold up everybody else. */
const MAX_COMPARED_LINES = 200_000;

/** What most probably went wrong; the likeliest to be meant comes first. */
export function explainMiss(text: string, i: { oldText: string; newText: string }): Miss {
  return (
    numbered(text, i.oldText) ??
    lineEnds(text, i.oldText) ??
    typography(text, i.oldText) ??
    whiteSpace(text, i.oldText) ??
    madeBefore(text, i.newText) ??
    near(text, i.oldText)
  );
}

function numbered(text: string, oldText: string): Miss | null {
  const prefix = /^[ \t]*\d+(?:\t|→|[:|-] ?)/;
  const lines = oldText.split('\n');
  if (!lines.every((line) => line === '' || prefix.test(line))) return null;
  const at = text.indexOf(lines.map((line) => line.replace(prefix, '')).join('\n'));
  if (at < 0) return null;
  return {
    hint: 'Its lines begin with line numbers, which are no part of the file; leave them out.',
    line: lineAt(text, at),
  };
}

function lineEnds(text: string, oldText: string): Miss | null {
  const at = unix(text).indexOf(unix(oldText));
  if (at < 0) return null;
  const line = lineAt(unix(text), at);
  const [has, given] = text.includes('\r\n')
    ? ['CR LF (\\r\\n)', 'LF (\\n)']
    : ['LF (\\n)', 'CR LF (\\r\\n)'];
  return {
    hint: `It would match at line ${line}, but the file's lines end in ${has}, not ${given}.`,
    line,
  };
}

const TYPOGRAPHY: readonly [RegExp, string][] = [
  [/[‘’‚‛′]/g, "'"],
  [/[“”„‟″]/g, '"'],
  [/[‐‑‒–—―−]/g, '-'],
  [/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g, ' '],
];

/** Character by character, so that places stay the same. */
function plain(text: string): string {
  return TYPOGRAPHY.reduce((folded, [fancy, simple]) => folded.replace(fancy, simple), text);
}

function typography(text: string, oldText: string): Miss | null {
  const at = plain(text).indexOf(plain(oldText));
  if (at < 0) return null;
  const offsets = Array.from({ length: oldText.length }, (_, offset) => offset);
  const differing = offsets.filter((offset) => text[at + offset] !== oldText[offset]);
  const [first = 0] = differing;
  const [has, given] = [named(text[at + first]), named(oldText[first])];
  const more = differing.length > 1 ? ` (${differing.length} such characters in all)` : '';
  const line = lineAt(text, at + first);
  return { hint: `At line ${line} the file has ${has} where oldText has ${given}${more}.`, line };
}

function named(character = ''): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `${/\s/.test(character) ? 'a space' : character} (U+${code})`;
}

function whiteSpace(text: string, oldText: string): Miss | null {
  const [lines, wanted] = [unix(text).split('\n'), unix(oldText).split('\n')];
  const at = lines.length > MAX_COMPARED_LINES ? null : matchLoosely(lines, wanted);
  if (at === null) return null;
  const actual = lines.slice(at, at + wanted.length);
  const shown = actual.slice(0, MAX_SHOWN_LINES).join('\n');
  const kind = kindOfSpace(actual, wanted);
  return {
    hint: `At line ${at + 1} it differs only in white space${kind}; the file has:\n${shown}`,
    line: at + 1,
  };
}

function kindOfSpace(actual: readonly string[], wanted: readonly string[]): string {
  const first = actual.findIndex((line, at) => line !== wanted[at]);
  const [has, given] = [actual[first] ?? '', wanted[first] ?? ''];
  if (has.trimEnd() === given.trimEnd()) return ' at the end of a line';
  const [hasIndent, givenIndent] = [has, given].map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  if (hasIndent === givenIndent) return '';
  if (hasIndent?.includes('\t') && !givenIndent?.includes('\t')) return ' (the file indents with tabs)';
  if (givenIndent?.includes('\t') && !hasIndent?.includes('\t')) return ' (the file indents with spaces)';
  return ' (the file is indented otherwise)';
}

function matchLoosely(lines: readonly string[], wanted: readonly string[]): number | null {
  const bare = (line: string) => plain(line).replace(/\s+/g, ' ').trim();
  const [loose, target] = [lines, wanted].map((all) => `\n${all.map(bare).join('\n')}\n`) as [string, string];
  // Searched as one text, since comparing line by line from every place takes as many steps as both have lines, multiplied.
  const at = target.trim() === '' ? -1 : loose.indexOf(target);
  return at < 0 ? null : loose.slice(0, at).split('\n').length - 1;
}

function madeBefore(text: string, newText: string): Miss | null {
  if (newText.replaceAll(/\s/g, '').length < TELLING_CHARACTERS) return null;
  const at = text.indexOf(newText);
  if (at < 0) return null;
  const line = lineAt(text, at);
  return {
    hint: `newText is there already, at line ${line}: this edit seems to have been made before.`,
    line,
  };
}

function near(text: string, oldText: string): Miss {
  const [lines, wanted] = [unix(text).split('\n'), unix(oldText).split('\n')];
  if (lines.length > MAX_COMPARED_LINES) {
    const hint = `The file has ${lines.length} lines, too many to look for something like it; read the part that you mean again.`;
    return { hint, line: null };
  }
  const at = nearestPlace(lines, wanted);
  if (at === null) return { hint: 'Nothing like it is there; read the file again.', line: null };
  const difference = shownDifference(wanted, lines.slice(at, at + wanted.length));
  return {
    hint: `The nearest is at line ${at + 1}; "-" is what oldText says, "+" what the file has:\n${difference}`,
    line: at + 1,
  };
}

function unix(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
