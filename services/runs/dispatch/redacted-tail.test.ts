import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { redact } from '../tools/output.ts';
import { RedactedTail } from './redacted-tail.ts';

const TOKEN = `cc_${'aB3-_'.repeat(8)}xyz`;
const SECRETS = ['abcabcabx', 'bcabxabcabcabx', 'sk-live-0123456789', 'short'];

function shown(pieces: readonly string[], secrets: readonly string[] = SECRETS): string {
  const tail = new RedactedTail(secrets);
  return pieces.map((piece) => tail.take(piece)).join('') + tail.flush();
}

/** Texts of secrets and what is like them, cut anywhere. */
const cutTexts = (...tokens: string[]) =>
  fc
    .array(fc.oneof(fc.constantFrom(...SECRETS, ...tokens), fc.stringMatching(/^[abcx kc_r-]{0,12}$/)))
    .chain((parts) => {
      const text = parts.join('');
      return fc
        .array(fc.integer({ min: 0, max: text.length }), { maxLength: 40 })
        .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), text.length])
        .map((cuts) => cuts.slice(1).map((cut, i) => text.slice(cuts[i], cut)));
    });

test('however a text is cut into pieces, what is shown is the text redacted as a whole', () => {
  fc.assert(
    fc.property(cutTexts(), (cut) => {
      expect(shown(cut)).toBe(redact(cut.join(''), SECRETS));
    }),
    { numRuns: 3_000 },
  );
});

test('nothing that is written as our tokens are is shown, also where one stands right after another', () => {
  fc.assert(
    fc.property(cutTexts(TOKEN, TOKEN.replace('cc_', 'ccr_')), (cut) => {
      const text = shown(cut);
      expect(redact(text, SECRETS)).toBe(text);
    }),
    { numRuns: 3_000 },
  );
});

test('no more is held back than may be the beginning of a secret', () => {
  const tail = new RedactedTail(SECRETS);
  expect(tail.take('The key is sk-li')).toBe('The key is ');
  expect(tail.take('nt.')).toBe('sk-lint.');
  expect(tail.take('It is sk-live-012345678')).toBe('It is ');
  expect(tail.take('9, yes')).toBe('[redacted], ye');
  expect(tail.take(` and ${TOKEN.slice(0, 30)}`)).toBe('s and ');
  tail.drop();
  expect(tail.take('In the cc')).toBe('In the ');
  expect(tail.flush()).toBe('cc');
});

test('without secrets a text is shown as it comes', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-bd-z ]*$/)), (cut) => {
      const tail = new RedactedTail([]);
      for (const piece of cut) expect(tail.take(piece)).toBe(piece);
    }),
  );
});
