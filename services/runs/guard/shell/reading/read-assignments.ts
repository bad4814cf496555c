import { assignedName } from '../syntax/parse-simple.ts';
import type { ShellWord } from '../syntax/statement.ts';
import { expandWhole } from '../words/expand.ts';
import { dropStart, literalText, type Word } from '../words/word.ts';
import type { Call } from './call.ts';
import { Findings } from './findings.ts';
import type { Point } from './read-words.ts';
import { valuesAt } from './session.ts';
import { variableRule } from './variables.ts';

/** Reads a line for a shell to which a program adds arguments. They are paths to most, but some take them for a command. */
export function readAddedTo(call: Call, text: string): void {
  const outer = call.with({ input: { kind: 'runtime' }, posix: true });
  outer.shellText(`${text} ./argument ./argument`);
  const findings = new Findings();
  outer.with({ findings }).shellText(`${text} "./$argument" ./argument`);
  if (!findings.understood) call.anything('runs what is added to it');
}

/** Adds what it means that commands run with this variable; `call` is what the variable is set for. */
export function readVariable(call: Call, name: string, value: Word | null): void {
  const rule = variableRule(name);
  const text = literalText(value);
  if (!rule || rule.is === 'harmless' || (text !== null && rule.unless?.test(text))) return;
  if (rule.is === 'launch') {
    call.add('process_launch');
    return;
  }
  if (rule.is === 'prompt' && text !== null && !/[$`]/.test(text)) return;
  // What takes such a value adds arguments to it, and gives it an input.
  if (rule.is === 'shell' && text !== null) {
    if (text.trim() !== '') {
      readAddedTo(call, text);
      return;
    }
  }
  call.anything(`sets ${name}`);
}

/** `NAME=value` as a word: the name and the value, which is certain only if all of it is. */
export function assignmentOf(point: Point, word: ShellWord): { name: string; value: Word } | null {
  const name = assignedName(word);
  if (name === null) return null;
  const whole = expandWhole(word, valuesAt(point.scope, point.places, point.session.roots));
  return { name, value: dropStart(whole, whole.text.indexOf('=') + 1) };
}

/** Whether a subscript in front of the sign may be more than a number or the value of a variable. */
export function hasOpenSubscript({ shown }: ShellWord): boolean {
  const subscript = /^[A-Za-z_]\w*\[([^=]*)/.exec(shown)?.[1];
  return subscript !== undefined && !/^([\w\s+*/-]*|\$\{?\w+\}?)\]\+?$/.test(subscript);
}

/** Remembers a value that the variable certainly has from here on. */
export function bind({ scope }: Point, word: ShellWord, name: string, value: Word): void {
  const { survey, values } = scope;
  const isPlain = word.parts[0]?.kind === 'text' && word.parts[0].text.startsWith(`${name}=`);
  if (!isPlain || value.kind !== 'literal' || survey.assignsUnseen || !scope.certain) return;
  if (survey.assigned.get(name) === 1) values.set(name, value);
}
