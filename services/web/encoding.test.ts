import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { chooseEncoding, ENCODINGS, type Encoding } from './encoding.ts';

const all = () => true;
const only =
  (...there: Encoding[]) =>
  (encoding: Encoding) =>
    there.includes(encoding);

const CASES: [accepted: string | null, chosen: Encoding][] = [
  [null, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0, gzip;q=0', 'identity'],
  ['identity;q=0.5, br;q=0.4', 'identity'],
  ['identity, gzip;q=0.999', 'identity'],
  ['*', 'br'],
  ['*;q=0.1, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['identity;q=0, *;q=0', 'identity'],
  ['deflate', 'identity'],
  ['br;q=2, gzip;q=0.1', 'gzip'],
  ['br;q=-1, gzip;q=nan', 'identity'],
  ['br ; q=0.001', 'br'],
];
test.each(CASES)('of %j is chosen %s', (accepted, chosen) => {
  expect(chooseEncoding(accepted, all)).toBe(chosen);
});

test('what is not there is not chosen', () => {
  expect(chooseEncoding('br, gzip', only('identity', 'gzip'))).toBe('gzip');
  expect(chooseEncoding('br', only('identity', 'gzip'))).toBe('identity');
});

test('whatever is accepted, the choice is there, and never one that was refused for one that was not', () => {
  const name = fc.constantFrom('br', 'gzip', 'identity', '*', 'deflate');
  const weight = fc.constantFrom('', ';q=0', ';q=0.3', ';q=1', ';q=x');
  const header = fc.array(
    fc.tuple(name, weight).map((pair) => pair.join('')),
    { maxLength: 5 },
  );
  const there = fc.subarray(['br', 'gzip'] as Encoding[]);
  fc.assert(
    fc.property(header, there, (parts, encodings) => {
      const chosen = chooseEncoding(parts.join(', '), only('identity', ...encodings));
      expect(['identity', ...encodings]).toContain(chosen);
      if (chosen !== 'identity')
        expect(parts.some((part) => /^(br|gzip|\*)(;q=(0\.3|1))?$/.test(part))).toBe(true);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => ENCODINGS.includes(chooseEncoding(text, all))));
});
