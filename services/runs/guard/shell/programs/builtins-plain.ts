import type { Program } from './program.ts';

/** Commands of the shell itself that do nothing to the world, or what a table can say. */
export const PLAIN_BUILTINS: readonly Program[] = [
  { names: ': true false echo', operands: 'text' },
  {
    names:
      'pwd return break continue shift times umask ulimit type jobs fg bg disown suspend logout dirs cd pushd popd exit help caller unalias compopt',
    operands: 'look',
  },
  { names: 'kill', does: 'process_launch', operands: 'text' },
  { names: 'history', options: 'w:write a:write r:look n:look s', operands: 'text' },
  {
    names: 'fc',
    otherwise: '',
    operands: 'anything',
    read: (call) => call.anything('runs earlier commands again'),
  },
  { names: 'hash', options: 'p:anything d:text l r t', operands: 'text' },
  { names: 'enable', options: 'f:anything n!process_launch', operands: 'text' },
  { names: 'bind', options: 'l p P s S v V q:text', operands: 'anything', strict: true },
  { names: 'complete', options: 'p r', operands: 'text', strict: true },
  {
    names: 'compgen',
    options: 'a b c d e f g j k s u v A:text o:text P:text S:text',
    operands: 'text',
    strict: true,
  },
  { names: 'builtin', operands: 'command', stops: true },
  { names: 'let', does: 'process_launch', operands: 'text', read: refuseTrap },
  { names: 'exec', options: 'a:text c l', operands: 'command', stops: true, strict: true },
];

/** `let 'a[$(…)]'` runs what stands in the brackets. */
function refuseTrap(call: Parameters<NonNullable<Program['read']>>[0]): void {
  if (call.args.some(({ kind, text }) => kind !== 'literal' || /[$`]/.test(text)))
    call.anything('may evaluate a text with a substitution');
}
