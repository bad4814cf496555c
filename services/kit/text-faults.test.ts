import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { textFaults } from './text-faults.ts';

test('a value of sound texts has no faults', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('\\u0000') && !text.includes('__proto__'));
      expect(textFaults(value)).toEqual([]);
    }),
  );
});

test('each fault is named by its path, in keys as well', () => {
  const value = JSON.parse('{"a":["ok","\\ud800"],"b":{"c":"\\u0000"},"__proto__":1,"\\udc00":2}') as unknown;
  expect(textFaults(value)).toEqual([
    { path: ['a', 1], message: 'must be well-formed Unicode; a surrogate stands alone in it' },
    { path: ['b', 'c'], message: 'must not contain the NUL character' },
    { path: ['"__proto__"'], message: 'is a name that no field may have' },
    { path: ['"\\udc00"'], message: 'must be well-formed Unicode; a surrogate stands alone in it' },
  ]);
});

test('nesting is followed as far as anybody needs, and no further', () => {
  const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown;
  expect(textFaults(nested(100))).toEqual([]);
  expect(textFaults(nested(50_000))).toMatchObject([{ message: expect.stringContaining('100 levels') }]);
});
