/** What stands before the caret that can be completed: `text.slice(start, end)` is replaced. */
export interface Trigger {
  kind: 'agent' | 'skill';
  /** What was typed after the sign. */
  query: string;
  start: number;
  end: number;
}

const AGENT = /(?<![\p{L}\p{N}._%+~@/\\-])@([\w-]*)$/u;
const SKILL = /(?<!\S)\/([\w:.-]*)$/u;
const REST_OF_WORD = /^[\w-]*/;
const SKILL_SIGN = 'skill:';

export function triggerAt(text: string, caret: number): Trigger | null {
  const before = text.slice(0, caret);
  const rest = REST_OF_WORD.exec(text.slice(caret))?.[0].length ?? 0;
  const agent = AGENT.exec(before);
  if (agent) return { kind: 'agent', query: agent[1] ?? '', start: agent.index, end: caret + rest };
  const skill = SKILL.exec(before);
  if (!skill) return null;
  const typed = skill[1] ?? '';
  const isInSign = SKILL_SIGN.startsWith(typed);
  const query = isInSign ? '' : typed.startsWith(SKILL_SIGN) ? typed.slice(SKILL_SIGN.length) : typed;
  return { kind: 'skill', query, start: skill.index, end: caret + rest };
}

export interface Candidate {
  name: string;
  /** What it is, for people; searched as well. */
  title: string;
  /** In this space: before the others of the workspace. */
  isHere: boolean;
}

/** Those that fit what was typed, the likeliest first. */
export function fitting<C extends Candidate>(query: string, candidates: readonly C[]): C[] {
  const wanted = folded(query);
  return candidates
    .map((one) => ({ one, rank: rankOf(wanted, one) }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => Number(a.rank) - Number(b.rank) || byPlaceThenName(a.one, b.one))
    .map(({ one }) => one);
}

function rankOf(wanted: string, { name, title }: Candidate): number | null {
  const [here, there] = [folded(name), folded(title)];
  if (here.startsWith(wanted)) return 0;
  if (here.split(/[_-]/).some((part) => part.startsWith(wanted))) return 1;
  if (there.split(/\s+/).some((part) => part.startsWith(wanted))) return 2;
  return here.includes(wanted) ? 3 : null;
}

const byPlaceThenName = (a: Candidate, b: Candidate) =>
  Number(b.isHere) - Number(a.isHere) || a.name.localeCompare(b.name);

const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Nothing is left to choose: what stands there is the whole name of the only one that fits. */
export const isComplete = (query: string, fits: readonly Candidate[]): boolean =>
  fits.length === 1 && folded(fits[0]?.name ?? '') === folded(query);

/** What takes the trigger's place, with a space behind it unless one is there. */
export function completed({ kind, end }: Trigger, name: string, text: string): string {
  const sign = kind === 'agent' ? '@' : `/${SKILL_SIGN}`;
  return `${sign}${name}${/^\s/.test(text.slice(end)) ? '' : ' '}`;
}

/** Whether the text seems to address one of the names; what it does in code or a quotation, the server knows better. */
export function addressesOne(text: string, names: readonly string[]): boolean {
  const wanted = new Set(names.map(folded));
  const found = text.matchAll(/(?<![\p{L}\p{N}._%+~@/\\-])@([A-Za-z0-9][\w-]*)/gu);
  return [...found].some(([, name = '']) => wanted.has(folded(name)));
}
