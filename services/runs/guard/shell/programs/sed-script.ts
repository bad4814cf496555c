/** What a program of sed may do besides printing. */
export type SedEffect = 'runs' | 'writes' | 'reads' | 'unreadable';

const ADDRESS = /^\s*(?:\d+(?:~\d+)?|\$|\+\d+|~\d+|\/(?:\\[\s\S]|\[[^\]\n]*\]|[^/\\\n[])*\/[IM]*)\s*/;
/** Commands without an argument, or with a number. */
const PLAIN = /^[={}dDgGhHnNpPxFz]|^[qQlL]\s*\d*/;
const LABEL = /^[btT:][^;}\n]*/;
const TEXT = /^[aic](?:\\\n|\\[^\n]|[^\\\n])*(?:\n|$)/;

/** Reads a program of sed command by command; where one is not known, it is unreadable. */
export function sedEffects(script: string): Set<SedEffect> {
  const effects = new Set<SedEffect>();
  let rest = script;
  while (rest.trim() !== '') {
    rest = rest.replace(/^[\s;]+/, '');
    if (rest === '') break;
    const next = afterCommand(skipAddresses(rest), effects);
    if (next === null) return effects.add('unreadable');
    rest = next;
  }
  return effects;
}

function skipAddresses(script: string): string {
  const first = script.replace(ADDRESS, '');
  const rest = first.startsWith(',') && first !== script ? first.slice(1).replace(ADDRESS, '') : first;
  return rest.replace(/^[\s!]+/, '');
}

function afterCommand(script: string, effects: Set<SedEffect>): string | null {
  const command = script.charAt(0);
  if (command === '#') return script.replace(/^[^\n]*/, '');
  if (command === 's') return afterSubstitution(script, effects);
  if (command === 'y') return afterParts(script)?.rest ?? null;
  if (command === 'e') effects.add('runs');
  if (/^[wW]$/.test(command)) effects.add('writes');
  if (/^[rR]$/.test(command)) effects.add('reads');
  if (/^[ewWrR]$/.test(command)) return script.replace(/^[^\n]*/, '');
  const known = [PLAIN, LABEL, TEXT].find((pattern) => pattern.test(script));
  return known ? script.replace(known, '') : null;
}

function afterSubstitution(script: string, effects: Set<SedEffect>): string | null {
  const parts = afterParts(script);
  if (!parts) return null;
  const flags = /^[gpIiMm\d\s]*/.exec(parts.rest)![0];
  const after = parts.rest.slice(flags.length);
  if (after.startsWith('e')) effects.add('runs');
  if (after.startsWith('w')) effects.add('writes');
  if (/^[ew]/.test(after)) return after.replace(/^[^\n]*/, '');
  return /^([;}#\n]|$)/.test(after) ? after : null;
}

/** Behind the three marks of `s/…/…/` and `y/…/…/`. */
function afterParts(script: string): { rest: string } | null {
  const mark = script.charAt(1);
  if (mark === '' || mark === '\n' || mark === '\\') return null;
  let seen = 0;
  for (let i = 2; i < script.length; i++) {
    if (script.charAt(i) === '\\') i++;
    else if (script.charAt(i) === mark && ++seen === 2) return { rest: script.slice(i + 1) };
  }
  return null;
}
