// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are those of the shell

/** Lines of about ten thousand characters that are made to take long, by kind. */
const SIZE = 10_000;

const repeat = (text: string): string => text.repeat(Math.ceil(SIZE / text.length));
const nest = (open: string, inner: string, close: string): string => {
  const count = Math.floor(SIZE / (open.length + close.length));
  return open.repeat(count) + inner + close.repeat(count);
};

/** `bash -c` in `bash -c`, each quoted once more, as far as the size goes. */
function nestedShells(): string {
  let line = 'git push';
  for (;;) {
    const next = `bash -c '${line.replaceAll("'", `'\\''`)}'`;
    if (next.length > SIZE) return line;
    line = next;
  }
}

export const HOSTILE: Readonly<Record<string, string>> = {
  pipes: Array.from({ length: 5_000 }, () => 'a').join('|'),
  commands: repeat('a;'),
  'and lists': Array.from({ length: 2_500 }, () => 'a').join('&&'),
  backgrounds: repeat('a&'),
  'substitutions side by side': `echo ${repeat('$(a)')}`,
  'substitutions in each other': nest('$(', 'a', ')'),
  backquotes: `echo ${repeat('`a`')}`,
  'escaped backquotes': `echo ${'`'.padEnd(SIZE, '\\')}`,
  'subshells in each other': nest('(', 'a', ')'),
  'groups in each other': nest('{ ', 'a;', ' }'),
  'arithmetic in each other': nest('$((', '1', '))'),
  'arithmetic that never closes': repeat('$(('),
  'double parentheses': nest('((', 'a', '))'),
  'loops in each other': nest('while a; do ', 'b', '; done'),
  'conditions in each other': nest('if a; then ', 'b', '; fi'),
  'cases in each other': nest('case a in b) ', 'c', ';; esac'),
  'an unclosed quote': `echo '${repeat('a b ')}`,
  'an unclosed double quote': `echo "${repeat('$(a) ')}`,
  'an unclosed substitution': `echo ${repeat('$(a ')}`,
  'quotes and quotes': `echo ${repeat(`'a'"b"`)}`,
  'expansions in each other': nest('${a:-', 'b', '}'),
  'brace bomb': repeat('{a,b}'),
  'braces in each other': nest('{a,', 'b', '}'),
  'open braces': repeat('{'),
  'brace sequences': repeat('{1..999999}'),
  redirections: repeat('>a '),
  'here-documents': repeat('cat <<A\n$(b)\nA\n'),
  'here-documents of one line': `${repeat('cat <<A ')}\n`,
  functions: repeat('f() { a; }; '),
  assignments: repeat('a=b '),
  'one long word': repeat('a'),
  'one long path': `rm ${repeat('a/../')}`,
  globs: `cat ${repeat('*')}`,
  'secret-like words': `cat ${repeat('a=b,c:')}`,
  words: repeat('a '),
  options: `git push ${repeat('-x ')}`,
  backslashes: repeat('\\\\'),
  continuations: `a${repeat('\\\n')}`,
  newlines: repeat('\n'),
  comments: repeat('#a\n'),
  'shells in each other': nestedShells(),
  'evals in each other': `${repeat('eval ')}a`,
  'wrappers in each other': `${repeat('env ')}a`,
  'xargs in each other': `${repeat('xargs ')}a`,
  'loops of loops': `${repeat('for i in 1 2 3 4 5 6 7 8 9; do ')}a${repeat('; done')}`,
  'a long program in loops': `for a in {1..9}; do for b in {1..9}; do awk '${repeat('print ')}'; done; done`,
  'a long path in loops': `for a in {1..9}; do for b in {1..9}; do rm ${repeat('a/../')}$b; done; done`,
  'loops that move': repeat('while cd a; do '),
  'scripts of sed': `sed '${repeat('s/a/b/;')}'`,
  'open sed script': `sed 's/${repeat('[/')}'`,
  'programs of awk': `awk '${repeat('print>"a" ')}'`,
  'prints of awk': `awk '${repeat('print ')}'`,
  'addresses of sed': `sed '/${repeat('[a]')}'`,
  'copies of databases': `psql -c '${repeat('copy ')}'`,
  'gaps in code': `python -c '"${' '.repeat(SIZE)}'`,
  'one long name in arithmetic': `(( ${repeat('a')} ))`,
  'subscripts in arithmetic': `(( ${repeat('a[')} ))`,
  code: `python -c '${repeat('open("a" + ')}'`,
  'parentheses of code': `python -c '${repeat('open(')}'`,
  finds: `find ${repeat('-exec a {} ; ')}`,
  conditions: `[[ ${repeat('a && ')} b ]]`,
  patterns: `[[ a =~ ${nest('(', 'a', ')')} ]]`,
  arrays: `a=(${repeat('b ')})`,
  'process substitutions': `cat ${repeat('<(a) ')}`,
  dollars: repeat('$'),
  prefixes: repeat('! '),
};
