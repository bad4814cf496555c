import { assignedName } from '../syntax/parse-simple.ts';
import type { ShellWord, Statement } from '../syntax/statement.ts';
import { expandWord } from '../words/expand.ts';
import { literal, literalText, type Word } from '../words/word.ts';
import { Call, type Inner, type Input } from './call.ts';
import { endsOf } from './ends.ts';
import { assignmentOf, bind, hasOpenSubscript, readVariable } from './read-assignments.ts';
import { inputOf, readRedirects } from './read-redirects.ts';
import { type Point, readWords } from './read-words.ts';
import { type Ends, freshScope, shownWords, stay, valuesAt } from './session.ts';
import { surveyOf } from './survey.ts';

type Simple = Extract<Statement, { kind: 'simple' }>;

/** Adds what one command does: its expansions, its redirections, its variables, and the program itself. */
export function readSimple(point: Point, { words, redirects }: Simple): Ends {
  const { session, scope, places } = point;
  session.work.count('commands');
  readWords(point, words);
  readRedirects(point, redirects);
  const found = words.findIndex((word) => assignedName(word) === null);
  const named = found < 0 ? words.length : found;
  const args = words.slice(named).flatMap((word) => expandWord(word, valuesAt(scope, places, session.roots)));
  session.work.count(
    'argumentCharacters',
    args.reduce((sum, { text }) => sum + text.length + 1, 0),
  );
  const input = inputOf(point, redirects) ?? scope.input;
  const call = callOf(point, args, { input, shown: shownWords(words) });
  readAssignments(point, call, words.slice(0, named), args.length === 0);
  const first = args[0];
  if (!first) return stay(places);
  session.dispatch(call, scope);
  if (literalText(first) === 'exec' && redirects.length > 0) scope.input = { kind: 'runtime' };
  return endsOf(args, scope, places);
}

function callOf({ session, scope, places, read }: Point, args: readonly Word[], facts: Facts): Call {
  const { findings, roots, work } = session;
  const [program = literal(''), ...rest] = args;
  const inner: Inner = {
    shell: (text, call) => {
      if (text === null) return call.anything('runs a line that is only known at run time');
      work.count('lines');
      work.count('lineCharactersWithin', text.length);
      work.within('linesWithinEachOther', () => {
        const body = session.parse(text);
        read(body, freshScope(surveyOf(body), call.facts.input), call.facts.places);
      });
    },
    command: ([first, ...others], call) => {
      work.count('commands');
      if (!first) return;
      const inner = call.with({ program: first, args: others });
      work.within('commandsWithinEachOther', () => session.dispatch(inner, scope));
    },
  };
  return new Call({ program, args: rest, places, roots, findings, inner, ...facts });
}

interface Facts {
  input: Input;
  shown: string;
}

function readAssignments(point: Point, call: Call, words: readonly ShellWord[], alone: boolean): void {
  for (const word of words) {
    const assignment = assignmentOf(point, word);
    if (!assignment) continue;
    if (hasOpenSubscript(word)) call.anything('may evaluate a text with a substitution');
    readVariable(call, assignment.name, assignment.value);
    if (alone) bind(point, word, assignment.name, assignment.value);
  }
}
