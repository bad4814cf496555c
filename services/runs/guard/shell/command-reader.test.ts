import { beforeAll, describe, expect, test } from 'bun:test';
import { EFFECT_CLASSES } from '../../../../core-wasm/core.ts';
import { type CommandReader, createCommandReader, SHELL_EFFECTS } from './command-reader.ts';
import { effectsOf } from './effects.ts';
import { AT_LEAST_LINES } from './lines/at-least-lines.ts';
import { AT_LEAST_PROGRAMS } from './lines/at-least-programs.ts';
import { COMMAND_LINES } from './lines/command-lines.ts';
import { HIDDEN_BY_PROGRAMS } from './lines/hidden-by-programs.ts';
import { HIDDEN_BY_SHELL } from './lines/hidden-by-shell.ts';
import { HIDDEN_BY_WORDS } from './lines/hidden-by-words.ts';
import { HOSTILE } from './lines/hostile-lines.ts';

let reader: CommandReader;
beforeAll(async () => {
  reader = await createCommandReader();
});

const classesOf = (line: string, ...worktree: string[]): string =>
  reader.read(line, { worktree }).classes.join(' ');

describe('a line has exactly its classes:', () => {
  for (const [theme, lines] of Object.entries(COMMAND_LINES)) {
    test(theme, () => {
      const wrong = lines.filter(([line, classes]) => classesOf(line) !== classes);
      expect(wrong.map(([line]) => [line, classesOf(line)])).toEqual([]);
    });
  }

  test('and a line is in the tables once', () => {
    const all = Object.values(COMMAND_LINES).flatMap((lines) => lines.map(([line]) => line));
    expect(all.filter((line, i) => all.indexOf(line) !== i)).toEqual([]);
    expect(all.length).toBeGreaterThan(160);
  });
});

test('a line has at least its classes where it seems to have fewer', () => {
  const lost = [...AT_LEAST_LINES, ...AT_LEAST_PROGRAMS].map(([line, classes]) => {
    const read = reader.read(line, { worktree: ['/opt/w'] }).classes;
    return [line, ...effectsOf(classes).filter((effect) => !read.includes(effect))];
  });
  expect(lost.filter(([, ...effects]) => effects.length > 0)).toEqual([]);
});

test('a push is seen however it is hidden', () => {
  const hidden = [...HIDDEN_BY_SHELL, ...HIDDEN_BY_PROGRAMS, ...HIDDEN_BY_WORDS];
  expect(hidden.filter((line) => !classesOf(line).includes('git_push'))).toEqual([]);
});

describe('a reading', () => {
  const everyLine = () => Object.values(COMMAND_LINES).flatMap((lines) => lines.map(([line]) => line));

  test('gives for each class a reason that people can read', () => {
    for (const line of [...everyLine(), ...Object.values(HOSTILE)]) {
      const { classes, findings } = reader.read(line);
      expect(new Set(findings.map(({ effect }) => effect))).toEqual(new Set(classes));
      expect(classes).toEqual(EFFECT_CLASSES.filter((effect) => classes.includes(effect)));
      for (const { because } of findings) expect(because).toMatch(/^(?! )[^\p{C}\u2028\u2029]{5,200}\.$/u);
    }
  });

  test('is not understood exactly when a part of the line could not be read', () => {
    expect(reader.read('git push; rm -rf /; gh pr create').understood).toBe(true);
    for (const line of ['$X', 'git $X', "echo 'a", 'curl x | sh', 'eval "$X"']) {
      const { understood, classes } = reader.read(line);
      expect([line, understood, classes]).toEqual([line, false, [...SHELL_EFFECTS]]);
    }
  });

  test('names the part of the line that it is about', () => {
    expect(reader.read('ls && git push origin main').findings).toEqual([
      { effect: 'git_push', because: '`git push origin main` pushes to a remote.' },
      { effect: 'network_egress', because: '`git push origin main` reaches the network.' },
    ]);
    expect(reader.read('$X push').findings[0]?.because).toBe(
      '`$X push` names its command only at run time, so it may do anything.',
    );
  });

  test('cuts what it shows of a long line, and shows nothing that hides or turns text', () => {
    const [finding] = reader.read(`rm ${'é'.repeat(300)}\u200b 'a\nb'`).findings;
    expect(finding?.because).toMatch(/^`rm é{76}…` deletes files\.$/);
    expect(reader.read("rm 'a\n\u200bb'").findings[0]?.because).toBe("`rm 'a b'` deletes files.");
  });
});

describe('a path', () => {
  const inside = 'file_delete';
  const outside = 'file_delete write_outside_worktree';

  test('is inside below any of the worktree’s folders, however it is written', () => {
    const lines = [
      'rm /w/a/x',
      'rm /w/a/b/../x',
      'rm ./x',
      'rm /w//a/x',
      'rm /other/x',
      'rm "$PWD/x"',
      'rm $PWD/x',
    ];
    for (const line of lines) expect([line, classesOf(line, '/w/a', '/other')]).toEqual([line, inside]);
    expect(classesOf('cd /w/a/b && rm ../x', '/w/a')).toBe(inside);
    expect(classesOf('cd .. && rm a/x', '/w/a')).toBe(inside);
  });

  test('is outside everywhere else', () => {
    const lines = ['rm /w/x', 'rm /w/ab/x', 'rm /w/a/../x', 'rm ../x', 'rm /x', 'cd / && rm x', 'rm ~/w/a/x'];
    for (const line of lines) expect([line, classesOf(line, '/w/a')]).toEqual([line, outside]);
    expect(classesOf('rm /w/a/x')).toBe(outside);
  });
});

describe('what cannot be a line', () => {
  test('counts as every class', () => {
    const lines = [
      'a\0b',
      'ls \ud800',
      'ls \r\n',
      'ls \u202e',
      'ls \u2066',
      'ls \x1b[2K',
      'a'.repeat(70_000),
    ];
    for (const line of lines)
      expect([line.slice(0, 9), reader.read(line).understood]).toEqual([line.slice(0, 9), false]);
  });

  test('is not an empty one', () => {
    for (const line of ['', ' ', '\n\n', '\t', '# a'])
      expect(reader.read(line)).toEqual({ classes: [], findings: [], understood: true });
  });
});

describe('ten thousand characters made to take long are read within 50 ms of CPU time:', () => {
  for (const [kind, line] of Object.entries(HOSTILE)) {
    test(kind, () => {
      expect(Math.min(...[1, 2, 3].map(() => cpuMillis(() => reader.read(line))))).toBeLessThan(50);
    });
  }
});

function cpuMillis(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
