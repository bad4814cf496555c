import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { faultsInFrench } from './fault-sentences.ts';

const source = readFileSync(join(import.meta.dir, '../../services/kit/fault.ts'), 'utf8');
const codes = [...source.matchAll(/^ {2}([a-z_]+): \{ status:/gm)].map(([, code]) => code as string);

test('every code that the server answers with is told in French, and no other', () => {
  expect(codes.length).toBeGreaterThan(40);
  expect(Object.keys(faultsInFrench).sort()).toEqual(codes.sort());
});

test('a sentence is whole, in French letters and spaces', () => {
  for (const [code, sentence] of Object.entries(faultsInFrench)) {
    expect(sentence, code).toMatch(/^\p{Lu}.+\.$/u);
    expect(sentence, code).not.toMatch(/'| [;:?!]/);
  }
});
