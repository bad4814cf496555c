import type { Part, Redirect, ShellWord, Statement } from './statement.ts';

/** The statement itself and all within it, those of substitutions too. */
export function* statementsIn(root: Statement): Generator<Statement> {
  const open: Statement[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    open.push(...childrenOf(next));
    for (const word of wordsOf(next)) for (const part of partsOf(word)) open.push(...bodyOf(part));
    if (next.kind === 'arithmetic') {
      for (const part of partsOf({ parts: next.inner, shown: '' })) open.push(...bodyOf(part));
    }
  }
}

function bodyOf(part: Part): Statement[] {
  return part.kind === 'substitution' || part.kind === 'process' ? [part.body] : [];
}

function childrenOf(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'sequence':
      return statement.statements;
    case 'pipeline':
      return statement.parts;
    case 'chain':
      return [statement.left, statement.right];
    case 'if':
      return [statement.condition, statement.then, statement.otherwise];
    case 'while':
      return [statement.condition, statement.body];
    case 'case':
      return statement.bodies;
    case 'simple':
    case 'condition':
    case 'arithmetic':
      return [];
    default:
      return [statement.body];
  }
}

/** The words of a statement itself: those of its redirections and here-documents too. */
export function wordsOf(statement: Statement): ShellWord[] {
  switch (statement.kind) {
    case 'simple':
      return [...statement.words, ...redirectWords(statement.redirects)];
    case 'redirected':
      return redirectWords(statement.redirects);
    case 'for':
      return statement.words ?? [];
    case 'case':
    case 'condition':
      return statement.words;
    default:
      return [];
  }
}

const redirectWords = (redirects: readonly Redirect[]): ShellWord[] =>
  redirects.flatMap(({ target, body }) => (body ? [body] : [target]));

/** The parts of a word and all within them, but nothing of a substitution's commands. */
export function* partsOf(word: ShellWord): Generator<Part> {
  for (const part of word.parts) {
    yield part;
    if (part.kind === 'expansion' || part.kind === 'arithmetic')
      yield* partsOf({ parts: part.inner, shown: '' });
    if (part.kind === 'array') for (const item of part.words) yield* partsOf(item);
  }
}
