import { expect, test } from 'bun:test';
import { keyCaps } from './key-caps.ts';

test('keys as they stand on the keyboard', () => {
  expect(keyCaps('$mod+k', false)).toEqual([['Ctrl', 'K']]);
  expect(keyCaps('$mod+Shift+k', true)).toEqual([['⌘', '⇧', 'K']]);
  expect(keyCaps('g i', false)).toEqual([['G'], ['I']]);
  expect(keyCaps('[Shift]+?', false)).toEqual([['?']]);
  expect(keyCaps('[', false)).toEqual([['[']]);
  expect(keyCaps('$mod+ArrowRight', false)).toEqual([['Ctrl', '→']]);
  expect(keyCaps('Escape', true)).toEqual([['Esc']]);
});
