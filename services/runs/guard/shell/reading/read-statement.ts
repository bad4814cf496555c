import type { Statement } from '../syntax/statement.ts';
import { expandWord } from '../words/expand.ts';
import type { Word } from '../words/word.ts';
import { type Places, union } from './paths.ts';
import { pipedText } from './piped-text.ts';
import { inputOf, readRedirects } from './read-redirects.ts';
import { readSimple } from './read-simple.ts';
import { readArithmetic, readCondition, readWords } from './read-words.ts';
import { type Ends, forked, type Scope, type Session, stay, uncertain, valuesAt } from './session.ts';

/** Longer loops are read with a variable that is only known at run time. */
const MAX_ROUNDS = 16;

/** Adds what a statement would do where the shell may be in `places`; says where it may be afterwards. */
export function readStatement(session: Session, statement: Statement, scope: Scope, places: Places): Ends {
  const read = (next: Statement, inner: Scope, at: Places) => readStatement(session, next, inner, at);
  switch (statement.kind) {
    case 'simple':
      return readSimple({ session, scope, places, read }, statement);
    case 'sequence':
      return readSequence(read, statement.statements, scope, places);
    case 'chain':
      return readChain(read, statement, scope, places);
    case 'pipeline':
      return readPipeline(read, statement.parts, scope, places);
    case 'background':
    case 'subshell':
      read(statement.body, forked(scope), places);
      return stay(places);
    case 'not': {
      const { success, failure } = read(statement.body, scope, places);
      return { success: failure, failure: success };
    }
    case 'if':
      return readIf(read, statement, uncertain(scope), places);
    case 'while':
      return readLoop(read, [statement.condition, statement.body], uncertain(scope), places);
    case 'for':
      return readFor(session, read, statement, scope, places);
    default:
      return readOther(session, read, statement, scope, places);
  }
}

type Read = (statement: Statement, scope: Scope, places: Places) => Ends;

type Kind<K extends Statement['kind']> = Extract<Statement, { kind: K }>;
type Other = Kind<'case' | 'condition' | 'arithmetic' | 'function' | 'redirected'>;

function readOther(session: Session, read: Read, statement: Other, scope: Scope, places: Places): Ends {
  const point = { session, scope, places, read };
  switch (statement.kind) {
    case 'case':
      readWords(point, statement.words);
      return stay(
        statement.bodies.reduce(
          (at, body) => union(at, anyEnd(read(body, uncertain(scope), places))),
          places,
        ),
      );
    case 'condition':
      readCondition(point, statement.words);
      return stay(places);
    case 'arithmetic':
      readArithmetic(point, statement.inner);
      return stay(places);
    case 'function':
      return readFunction(read, statement, scope, places);
    case 'redirected': {
      readRedirects(point, statement.redirects);
      const input = inputOf(point, statement.redirects);
      // A group shares its input among its commands, so none is known to read all of it.
      const inner: Scope = input ? { ...scope, input: { kind: 'runtime' } } : scope;
      return read(statement.body, inner, places);
    }
  }
}

const anyEnd = ({ success, failure }: Ends): Places => union(success, failure);

function readSequence(read: Read, statements: readonly Statement[], scope: Scope, places: Places): Ends {
  let ends = stay(places);
  for (const statement of statements) ends = read(statement, scope, anyEnd(ends));
  return ends;
}

function readChain(read: Read, chain: Kind<'chain'>, scope: Scope, places: Places): Ends {
  const left = read(chain.left, scope, places);
  const both = chain.operator === '&&';
  const right = read(chain.right, uncertain(scope), both ? left.success : left.failure);
  return both
    ? { success: right.success, failure: union(left.failure, right.failure) }
    : { success: union(left.success, right.success), failure: right.failure };
}

function readPipeline(read: Read, parts: readonly Statement[], scope: Scope, places: Places): Ends {
  let at = places;
  for (const [i, part] of parts.entries()) {
    const before = parts[i - 1];
    const input = before ? pipedText(before, scope) : scope.input;
    at = union(at, anyEnd(read(part, { ...forked(scope), input }, places)));
  }
  return stay(at);
}

function readIf(read: Read, { condition, then, otherwise }: Kind<'if'>, scope: Scope, places: Places): Ends {
  const ends = read(condition, scope, places);
  return stay(union(anyEnd(read(then, scope, ends.success)), anyEnd(read(otherwise, scope, ends.failure))));
}

/** Reads a round; and again from anywhere if a round may end elsewhere than it began. */
function readLoop(read: Read, round: readonly Statement[], scope: Scope, places: Places): Ends {
  const after = union(places, anyEnd(readSequence(read, round, scope, places)));
  if (after === null || places === null || after.length === places.length) return stay(after);
  readSequence(read, round, scope, null);
  return stay(null);
}

function readFor(session: Session, read: Read, loop: Kind<'for'>, scope: Scope, places: Places): Ends {
  const { name, words, body } = loop;
  const point = { session, scope, places, read };
  if (words) readWords(point, words);
  const once = scope.survey.assigned.get(name) === 1 && !scope.survey.assignsUnseen;
  const values = once && words?.flatMap((word) => expandWord(word, valuesAt(scope, places, session.roots)));
  const rounds: (Word | null)[] = values && values.length <= MAX_ROUNDS ? values : [null];
  let at = places;
  for (const value of rounds) {
    const inner = forked(scope);
    if (value) inner.values.set(name, { ...value, many: false });
    at = union(at, readLoop(read, [body], inner, at).success);
  }
  return stay(at);
}

/** The body is read where it is defined; where it is called the shell may be anywhere, once a command moves it. */
function readFunction(read: Read, { name, body }: Kind<'function'>, scope: Scope, places: Places): Ends {
  if (scope.certain) scope.functions.add(name);
  const inner: Scope = { ...forked(scope), input: { kind: 'runtime' } };
  read(body, inner, scope.survey.moves ? null : places);
  return stay(places);
}
