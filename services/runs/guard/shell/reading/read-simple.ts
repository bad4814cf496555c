import { assignedName } from '../syntax/parse-simple.ts';
import type { ShellWord, Statement } from '../syntax/statement.ts';
import { expandWord } from '../words/expand.ts';
import { literal, type Word } from '../words/word.ts';
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
  const input = inputOf(point, redirects) ?? (session.inputMoves ? { kind: 'runtime' } : scope.input);
  const call = callOf(point, args, { input, shown: shownWords(words) });
  readAssignments(point, call, words.slice(0, named), args.length === 0);
  const first = args[0];
  if (!first) return stay(places);
  session.dispatch(call, scope);
  return endsOf(args, scope, places);
}

function callOf(point: Point, args: readonly Word[], facts: Facts): Call {
  const { session, scope, places } = point;
  const { findings, roots, work } = session;
  const [program = literal(''), ...rest] = args;
  const inner: Inner = {
    shell: (text, call) => {
      if (text === null) return call.anything('runs a line that is only known at run time');
      work.count('lines');
      work.count('lineCharactersWithin', text.length);
      work.within('linesWithinEachOther', () => readLineWithin(point, text, call));
    },
    command: ([first, ...others], call) => {
      work.count('commands');
      if (!first) return;
      const inner = call.with({ program: first, args: others });
      // What runs another command looks for a program, not for a function.
      const outer = { ...scope, functions: new Set<string>() };
      work.within('commandsWithinEachOther', () => session.dispatch(inner, outer));
    },
  };
  const later = scope.survey.moves ? null : places;
  return new Call({
    ...{ program, args: rest, places, later, roots, findings, inner, posix: scope.posix },
    ...facts,
  });
}

function readLineWithin({ session, scope, read }: Point, text: string, { facts }: Call): void {
  const { findings } = session;
  const body = session.parse(text, facts.posix);
  const survey = surveyOf(body, scope.survey);
  session.inputMoves ||= survey.movesInput;
  session.findings = facts.findings;
  try {
    read(body, freshScope(survey, facts.input, facts.posix), facts.places);
  } finally {
    session.findings = findings;
  }
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
