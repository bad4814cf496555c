import { literalText, type Word } from '../words/word.ts';
import { moved, type Places } from './paths.ts';
import { type Ends, type Scope, stay } from './session.ts';

const ANYWHERE: Ends = stay(null);
/** The shell is over: nothing comes after. */
const OVER: Ends = stay([]);

/** A line for a shell that stays where it is, as far as that shows. */
const STAYS = /^(?!.*(^|[^\w.-])(cd|pushd|popd|source|eval|\.)([^\w]|$))[^'"\\$`]*$/s;

/** Where the shell may be after a command of its own. */
export function endsOf(words: readonly Word[], scope: Scope, places: Places): Ends {
  const [first, ...args] = words;
  const name = literalText(first);
  if (name === null) return ANYWHERE;
  if (scope.survey.functions.has(name)) return scope.survey.moves ? ANYWHERE : stay(places);
  switch (name) {
    case 'cd':
    case 'pushd':
      return { success: target(args, scope, places), failure: places };
    case 'popd':
    case 'source':
    case '.':
      return ANYWHERE;
    case 'eval':
      return staysAll(args) ? stay(places) : ANYWHERE;
    case 'trap':
      return staysAll(args) || isAtEnd(args) ? stay(places) : ANYWHERE;
    case 'exit':
      return OVER;
    case 'exec':
      return args.length > 0 ? OVER : stay(places);
    case 'command':
    case 'builtin':
      return endsOf(
        args.filter((word, i) => i > 0 || word.text !== '-p'),
        scope,
        places,
      );
    default:
      return stay(places);
  }
}

const staysAll = (words: readonly Word[]): boolean =>
  words.every((word) => word.kind === 'literal' && STAYS.test(word.text));

const isAtEnd = ([, ...signals]: readonly Word[]): boolean =>
  signals.length > 0 && signals.every((word) => /^(EXIT|0)$/.test(literalText(word) ?? ''));

function target(args: readonly Word[], { survey }: Scope, places: Places): Places {
  const [word, more] = args.filter(
    ({ kind, text }) => kind !== 'literal' || !/^-[LPe@]*$|^--$/.test(text) || text === '-',
  );
  const fromStack = /^[-+]\d+$/.test(word?.text ?? '');
  const isOwn = survey.definesUnseen || survey.assigned.has('CDPATH');
  return !word || more || fromStack || isOwn ? null : moved(word, places);
}
