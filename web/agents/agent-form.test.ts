import { expect, test } from 'bun:test';
import {
  type AgentForm,
  differing,
  EMPTY_FORM,
  fieldsOf,
  merged,
  noNumbers,
  wholeNumber,
} from './agent-form.ts';

const form = (part: Partial<AgentForm>): AgentForm => ({ ...EMPTY_FORM, name: 'qa', title: 'QA', ...part });

test('what is empty is unset, numbers are numbers, and one-line text is trimmed', () => {
  const typed = form({
    title: ' Tester ',
    contextSize: '200,000',
    maxTurns: ' ',
    modelId: '',
    persona: ' kept ',
  });
  expect(fieldsOf(typed, ['title', 'contextSize', 'maxTurns', 'modelId', 'persona', 'skills'])).toEqual({
    title: 'Tester',
    contextSize: 200_000,
    maxTurns: null,
    modelId: null,
    persona: ' kept ',
    skills: [],
  });
});

test('only whole numbers are numbers', () => {
  expect(['12', '1 000', '1_000', '1’000'].map(wholeNumber)).toEqual([12, 1_000, 1_000, 1_000]);
  expect(['', '1.5', '-1', 'ten', '1e3'].map(wholeNumber)).toEqual([null, null, null, null, null]);
  expect(noNumbers(form({ maxTurns: 'ten', contextSize: '' }))).toEqual(['maxTurns']);
});

test('the order and the case of skills make no difference', () => {
  expect(differing(form({ skills: ['SQL', 'css'] }), form({ skills: ['CSS', 'sql'] }))).toEqual([]);
  expect(differing(form({ skills: ['sql'] }), form({ skills: ['sql', 'css'] }))).toEqual(['skills']);
});

test('of two changes at once those of different fields both hold; the same field is a conflict with mine in the form', () => {
  const base = form({ title: 'QA', persona: 'calm', maxTurns: '5' });
  const theirs = { ...base, title: 'Lead QA', maxTurns: '9' };
  const mine = { ...base, title: 'Chief QA', persona: 'strict' };
  expect(merged(base, theirs, mine)).toEqual({
    form: { ...base, title: 'Chief QA', persona: 'strict', maxTurns: '9' },
    conflicts: ['title'],
    taken: ['maxTurns'],
  });
});

test('the same change by both is no conflict', () => {
  const base = form({});
  const both = { ...base, title: 'Lead QA' };
  expect(merged(base, both, both)).toEqual({ form: both, conflicts: [], taken: [] });
});
