import { proseOf } from './prose.ts';

export interface Mentions {
  /** Ids of the agents addressed, once each, in the order of the text. */
  agentIds: string[];
  /** For the author: each mention that reaches nobody, and why. */
  notices: string[];
}

interface Candidate {
  /** As written, without the `@`. */
  word: string;
  /** What the next characters make of it: a path or a domain is no mention, though it begins like one. */
  tail: string;
}

const LETTER_OF_SPACED_SCRIPT = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}\p{N}]/u;

/**
 * Finds who a Markdown text addresses by `@name`: whole names only, without regard to case, in prose only.
 * @param agents the workspace's agents; their names are slugs
 */
export function parseMentions(markdown: string, agents: readonly { id: string; name: string }[]): Mentions {
  const byName = new Map<string, { id: string; name: string }[]>();
  for (const agent of agents) {
    const name = agent.name.toLowerCase();
    byName.set(name, [...(byName.get(name) ?? []), agent]);
  }
  const agentIds = new Set<string>();
  const notices = new Set<string>();
  for (const { word, tail } of candidates(proseOf(markdown))) {
    const named = byName.get(word.toLowerCase()) ?? [];
    if (named.length === 1 && tail === '') agentIds.add(named[0]!.id);
    else if (tail === '' || named.length > 0) notices.add(notice(word, tail, named));
  }
  return { agentIds: [...agentIds], notices: [...notices] };
}

function notice(word: string, tail: string, named: readonly { name: string }[]): string {
  if (tail) {
    return `@${word}${tail} may be an address or a path, so nobody was woken. To address ${word}, put a space after the name.`;
  }
  if (named.length > 1) {
    const names = named.map(({ name }) => name).join(', ');
    return `@${word} may be ${names}, so nobody was woken by it. Rename one of them.`;
  }
  return `No agent is named @${word}, so nobody was woken by it.`;
}

function candidates(prose: string): Candidate[] {
  const found: Candidate[] = [];
  let lastEnd = -1;
  for (const match of prose.matchAll(/@([A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?)/g)) {
    if (!mayStandBefore(prose, match.index, lastEnd)) continue;
    lastEnd = match.index + match[0].length;
    const letters = matchAt(prose, lastEnd, MORE_LETTERS);
    found.push({
      word: `${match[1]}${letters}`,
      tail: letters ? '' : matchAt(prose, lastEnd, PATH_OR_DOMAIN),
    });
  }
  return found;
}

// `@qaé` is another word than `@qa`; in scripts written without spaces a name ends where its own letters do.
const MORE_LETTERS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}\p{N}]+/uy;
const PATH_OR_DOMAIN = /[.@:/][A-Za-z0-9][\w./-]*/y;

function matchAt(text: string, index: number, sticky: RegExp): string {
  sticky.lastIndex = index;
  return sticky.exec(text)?.[0] ?? '';
}

// An `@` inside a word is an address; a slash before it is a path, unless it parts two mentions (`@qa/@engineer`).
function mayStandBefore(prose: string, at: number, lastEnd: number): boolean {
  const last = prose[at - 1] ?? ' ';
  if (last === '\\' || last === '@') return false;
  if (last === '/') return lastEnd === at - 1;
  let end = at;
  while (end > 0 && '._%+~-'.includes(prose[end - 1] as string)) end--;
  const letter = /.$/su.exec(prose.slice(Math.max(0, end - 2), end))?.[0] ?? '';
  return !LETTER_OF_SPACED_SCRIPT.test(letter);
}
