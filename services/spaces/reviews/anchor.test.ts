import { expect, test } from 'bun:test';
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { Anchor, nextPlace, type Place } from './anchor.ts';
import { hunksBetween, hunksOf, isInDiff, movedRange } from './hunks.ts';

/** Few different lines, so that many are equal and a diff has a choice of which one it calls kept. */
const Line = fc.constantFrom('', '}', 'return x;', '--- a', '+++ b', '@@ -1 +1 @@', '  call();', '\\ text');
const File = fc.array(Line, { minLength: 1, maxLength: 40 });
const Edit = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'replace'),
  at: fc.nat(60),
  lines: fc.array(Line, { minLength: 1, maxLength: 4 }),
});

function edited(file: readonly string[], edits: readonly { kind: string; at: number; lines: string[] }[]) {
  const next = [...file];
  for (const { kind, at, lines } of edits) {
    const index = next.length === 0 ? 0 : at % (next.length + 1);
    next.splice(index, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : lines));
  }
  return next;
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const patchOf = (before: readonly string[], after: readonly string[]) =>
  createTwoFilesPatch('a', 'b', textOf(before), textOf(after), '', '', { context: 3 })
    .split('\n')
    .slice(3)
    .join('\n');

test('whatever is inserted and deleted, a range moves to the same text or is gone', () => {
  let followed = 0;
  fc.assert(
    fc.property(File, fc.array(Edit, { maxLength: 6 }), fc.nat(39), fc.nat(4), (file, edits, at, more) => {
      const after = edited(file, edits);
      const start = (at % file.length) + 1;
      const end = Math.min(file.length, start + more);
      const patch = patchOf(file, after);
      const hunks = patch.trim() === '' ? [] : hunksOf(patch)!;
      for (const moved of [
        movedRange(hunks, start, end),
        movedRange(hunksBetween(textOf(file), textOf(after), 2_000)!, start, end),
      ]) {
        if (moved === null) continue;
        followed++;
        expect(after.slice(moved.startLine - 1, moved.endLine)).toEqual(file.slice(start - 1, end));
      }
    }),
    { numRuns: 2_000 },
  );
  expect(followed).toBeGreaterThan(500);
});

test('an anchor outside every edit is always followed', () => {
  const Distinct = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme-ascii' }), {
    minLength: 3,
    maxLength: 30,
  });
  fc.assert(
    fc.property(Distinct, fc.nat(29), fc.nat(5), fc.nat(5), (file, at, above, below) => {
      const index = at % file.length;
      const kept = file[index]!;
      const before = file.slice(0, index).slice(above);
      const after = [...before, kept, ...Array.from({ length: below }, (_, i) => `new line ${i}`)];
      const moved = movedRange(hunksOf(patchOf(file, after)) ?? [], index + 1, index + 1);
      expect(moved).toEqual({ startLine: before.length + 1, endLine: before.length + 1 });
    }),
  );
});

test('a line between, a change in the range or its end makes a range gone; one just outside only moves it', () => {
  const file = ['a', 'b', 'c', 'd', 'e'];
  const moved = (after: string[]) => movedRange(hunksOf(patchOf(file, after)) ?? [], 2, 4);
  expect(moved(['a', 'b', 'x', 'c', 'd', 'e'])).toBeNull();
  expect(moved(['a', 'b', 'C', 'd', 'e'])).toBeNull();
  expect(moved(['a', 'b', 'c', 'e'])).toBeNull();
  expect(moved(['a', 'x', 'b', 'c', 'd', 'y', 'e'])).toEqual({ startLine: 3, endLine: 5 });
  expect(moved(['b', 'c', 'd'])).toEqual({ startLine: 1, endLine: 3 });
});

test('what is no patch is told from a patch that changes nothing', () => {
  expect(hunksOf('rubbish')).toBeNull();
  expect(hunksOf('@@ -1,3 +1,3 @@\n a')).toBeNull();
  expect(hunksOf('@@ -0,0 +1,2 @@\n+a\n+b')).toEqual([{ oldStart: 1, newStart: 1, lines: ['+a', '+b'] }]);
  expect(hunksOf('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a')).toEqual([
    { oldStart: 1, newStart: 1, lines: ['-a', '+a'] },
  ]);
});

test('a range is in the diff when both ends stand in one hunk on its side', () => {
  const hunks = hunksOf('@@ -1,3 +1,4 @@\n a\n-b\n+B\n+x\n c\n@@ -20,2 +21,2 @@\n t\n-u\n+U')!;
  expect(isInDiff(hunks, 'RIGHT', 2, 3)).toBe(true);
  expect(isInDiff(hunks, 'LEFT', 2, 2)).toBe(true);
  expect(isInDiff(hunks, 'RIGHT', 4, 21)).toBe(false);
  expect(isInDiff(hunks, 'RIGHT', 5, 5)).toBe(false);
  expect(isInDiff(hunks, 'LEFT', 22, 22)).toBe(false);
});

test('a place is moved, outdated for good, and current again when its own head is back', () => {
  const anchor: Anchor = { path: 'a.ts', startLine: 2, endLine: 3, side: 'RIGHT' };
  const place: Place = { ...anchor, sha: 'one', state: 'current' };
  const inserted = hunksOf('@@ -0,0 +1 @@\n+x')!;
  const moved = nextPlace(place, anchor, { path: 'b.ts', hunks: inserted }, 'two');
  expect(moved).toEqual({
    path: 'b.ts',
    startLine: 3,
    endLine: 4,
    side: 'RIGHT',
    sha: 'two',
    state: 'moved',
  });
  const gone = nextPlace(moved, anchor, 'gone', 'three');
  expect(gone).toEqual({ ...moved, state: 'outdated' });
  expect(nextPlace(gone, anchor, { path: 'b.ts', hunks: null }, 'four')).toEqual(gone);
  expect(nextPlace(gone, anchor, { path: 'b.ts', hunks: null }, 'two')).toEqual(moved);
  expect(nextPlace(place, anchor, { path: 'a.ts', hunks: null }, 'two')).toEqual({ ...place, sha: 'two' });
});

test('an anchor of one line needs no end; one that ends before it begins is not valid', () => {
  expect(Anchor.parse({ path: 'a', startLine: 4 })).toEqual({
    ...{ path: 'a', startLine: 4, endLine: 4, side: 'RIGHT' },
  });
  expect(Anchor.safeParse({ path: 'a', startLine: 4, endLine: 3 }).success).toBe(false);
  expect(Anchor.safeParse({ path: 'a', startLine: 0 }).success).toBe(false);
  expect(Anchor.safeParse({ path: 'a', startLine: 1, endLine: 2_001 }).success).toBe(false);
});

test.each(['..', '.', '../a', 'a/..', 'a/../b', './a', '/a', 'a/', 'a//b', ''])(
  'no file is at %j',
  (path) => {
    expect(Anchor.safeParse({ path, startLine: 1 }).success).toBe(false);
  },
);

test.each(['a', '...', '..a/.b', 'a\n/b', '-rf', 'C:\\x'])('a file may be at %j', (path) => {
  expect(Anchor.parse({ path, startLine: 1 }).path).toBe(path);
});

test('many long ranges in a long diff hold nobody up', () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => ` ${i}`);
  const one = [{ oldStart: 1, newStart: 1, lines }];
  const many = lines.map((_, i) => ({ oldStart: 4 * i + 1, newStart: 4 * i + 2, lines: [' a', '-b', '+c'] }));
  const startedAt = performance.now();
  for (let i = 0; i < 100; i++) {
    expect(movedRange(one, 15_000, 16_999)).toEqual({ startLine: 15_000, endLine: 16_999 });
    expect(movedRange(many, 90_000, 91_999)).toEqual({ startLine: 90_001, endLine: 91_999 + 1 });
    expect(isInDiff(one, 'LEFT', 15_000, 16_999)).toBe(true);
  }
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
