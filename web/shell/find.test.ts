import { expect, test } from 'bun:test';
import { findScore } from './find.ts';

test('all words have to be in the text, without regard to case and accents', () => {
  expect(findScore('Réglages de l’espace', 'reglages ESPACE')).toBeGreaterThan(0);
  expect(findScore('Graph export', 'graph import')).toBe(0);
  expect(findScore('anything', '')).toBe(1);
});

test('the beginning counts more than the beginning of a word, and that more than the middle', () => {
  const scores = ['exporter', 'graph export', 'reexport'].map((text) => findScore(text, 'export'));
  expect(scores).toEqual([1, 0.8, 0.5]);
});

test('signs in a query are signs', () => {
  expect(findScore('what (now)', '(now)')).toBeGreaterThan(0);
  expect(findScore('what now', '.*')).toBe(0);
});
