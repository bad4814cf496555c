// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are those of the shell

import { describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Seeded } from '../fuzz/seeded.ts';
import { single } from '../fuzz/spelling.ts';
import { expandWord } from '../words/expand.ts';
import { parseShell } from './shell-syntax.ts';
import type { Statement } from './statement.ts';
import { Unreadable } from './unreadable.ts';
import { statementsIn } from './walk.ts';
import { Work } from './work.ts';

const LINES = 3_000;
const PIECES = [
  ...[
    'a',
    'b',
    'x',
    '0',
    ' ',
    '\t',
    '\n',
    ',',
    '.',
    '#',
    '!',
    '~x',
    '=',
    '%',
    '^',
    '@',
    '"',
    '"',
    "'",
    "'",
    '\\',
  ],
  ...[
    '\\',
    '\\\n',
    '\\\\',
    '\\"',
    "\\'",
    '\\ ',
    '\\{',
    "$'",
    '$"',
    '$',
    '"x y"',
    "'y z'",
    '{',
    '}',
    '{a,b}',
    '{1..3}',
  ],
  ...[
    '\\n',
    '\\x41',
    '\\101',
    '\\t',
    '\\u0042',
    '$(p2)',
    '`p2`',
    '"$(p2)"',
    ';',
    '&&',
    '|',
    '(',
    ')',
    '<',
    '>',
  ],
];

/** What the reader takes for the words of the line; null where it is not one command of known words. */
function wordsOf(line: string): string[] | null {
  const body = parseShell(line, new Work()).body;
  const only = body.kind === 'sequence' && body.statements.length === 1 ? body.statements[0]! : null;
  if (only?.kind !== 'simple' || only.redirects.length > 0) return null;
  const words = only.words.flatMap((word) => expandWord(word, () => null));
  return words.every(({ kind }) => kind === 'literal') ? words.map(({ text }) => text) : null;
}

function randomLine(random: Seeded): string {
  let line = 'p ';
  for (let left = 1 + random.below(9); left > 0; left--) line += random.pick(PIECES);
  return line;
}

/** The arguments with which bash calls `p` for each line; null where the line is wrong. */
function bashWords(lines: readonly string[]): (string[] | null)[] {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  try {
    const runs = lines.map(
      (line) => `printf '\\1'; (eval ${single(line)}) 2>/dev/null || printf 'failed\\2'`,
    );
    const script = join(folder, 'script');
    writeFileSync(script, ['p() { printf "%s\\2" "$#" "$@"; }', 'p2() { :; }', 'set -f', ...runs].join('\n'));
    const env = { PATH: '/nowhere', LC_ALL: 'C.UTF-8' };
    const { stdout } = Bun.spawnSync(['/bin/bash', script], { cwd: folder, env });
    return stdout.toString().split('\x01').slice(1).map(called);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function called(output: string): string[] | null {
  const [count, ...args] = output.split('\x02');
  return count === 'failed' || args.includes('failed') ? null : args.slice(0, Number(count));
}

describe('a word', () => {
  test('is what bash makes of it', () => {
    const random = new Seeded(3);
    const lines = Array.from({ length: LINES }, () => randomLine(random));
    const wanted = bashWords(lines);
    expect(wanted.length).toBe(lines.length);
    let compared = 0;
    for (const [i, line] of lines.entries()) {
      const found = readable(line);
      if (!found || !wanted[i]) continue;
      compared++;
      expect([line, ...found.slice(1)]).toEqual([line, ...wanted[i]]);
    }
    expect(compared).toBeGreaterThan(LINES / 10);
  });
});

function readable(line: string): string[] | null {
  try {
    return wordsOf(line);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

const kindsIn = (line: string): string[] => [
  ...new Set([...statementsIn(parseShell(line, new Work()).body)].map(({ kind }) => kind)),
];

describe('a line', () => {
  test('has the structure that bash gives it', () => {
    const cases: [line: string, kinds: Statement['kind'][]][] = [
      ['a | b && c', ['sequence', 'chain', 'simple', 'pipeline']],
      ['((a))', ['sequence', 'arithmetic']],
      ['((a) || (b))', ['sequence', 'subshell', 'chain', 'simple']],
      ['[[ a && b ]]', ['sequence', 'condition']],
      ['if a; then b; fi > c', ['sequence', 'redirected', 'if', 'simple']],
      ['f() for x in y; do z; done', ['sequence', 'function', 'for', 'simple']],
      ['for ((;;)) do a; done', ['sequence', 'while', 'simple', 'arithmetic']],
      ['case a in esac', ['sequence', 'case']],
      ['a & b', ['sequence', 'simple', 'background']],
    ];
    for (const [line, kinds] of cases)
      expect([line, ...kindsIn(line).toSorted()]).toEqual([line, ...kinds.toSorted()]);
  });

  test('that is wrong, or that bash reads by what is not in it, is unreadable', () => {
    const lines = [
      ...[
        "'",
        '"',
        '`',
        '$(',
        '${',
        '$((',
        'a)',
        '(a',
        '{ a;',
        'a }; }',
        'if a; fi',
        'while a; done',
        'case a in b) c',
      ],
      ...[
        'a &&',
        '| a',
        ';;',
        '>',
        'a >',
        'a <<A',
        'a <<A\nb',
        'for a b; do c; done',
        'f() a',
        'a (b)',
        'a\\',
        '[[ a',
        '((a)',
      ],
      ...[
        'a[b c]=d',
        '${ a; }',
        '"${a:-\'b\'}"',
        '$[1]',
        '$((a) b)',
        'x=(a # b\n)',
        '$(cat <<A\nb\nA)\nA\n)',
        '{a[1]}>b',
      ],
    ];
    for (const line of lines) expect(() => parseShell(line, new Work())).toThrow(Unreadable);
  });

  test('is read to the end of its here-documents and no further', () => {
    const bodies = (line: string) =>
      [...statementsIn(parseShell(line, new Work()).body)]
        .flatMap((statement) => (statement.kind === 'simple' ? statement.redirects : []))
        .map(({ body }) => body?.shown);
    expect(bodies('a <<A\nb\nA\nc')).toEqual(['b\n']);
    expect(bodies('a <<A; c <<-B\nb\nA \nA\n\tx\n\tB\nd')).toEqual(['x\n', 'b\nA \n']);
    expect(bodies("a <<'A'\nb\\\nA\nA")).toEqual(['b\\\n']);
    expect(bodies('a <<A\nb\\\nA\nA')).toEqual(['bA\n']);
    expect(bodies('a <<\\A\n$(b\nA')).toEqual(['$(b\n']);
  });
});
