import { expect, test } from 'bun:test';
import { numberedPatch } from './numbered-patch.ts';

test('every line carries its numbers on the sides on which it stands', () => {
  const patch = '@@ -9,3 +9,4 @@ fn\n a\n-b\n+B\n+C\n d\n\\ No newline at end of file\n@@ -0,0 +40,1 @@\n+e';
  expect(numberedPatch(patch)).toEqual([
    '@@ -9,3 +9,4 @@ fn',
    '     9      9   a',
    '    10         -b',
    '           10  +B',
    '           11  +C',
    '    11     12   d',
    '               \\ No newline at end of file',
    '@@ -0,0 +40,1 @@',
    '           40  +e',
  ]);
});
