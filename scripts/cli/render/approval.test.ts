import { expect, test } from 'bun:test';
import { sampleApproval } from '../testing/sample.ts';
import { ageText, approvalText, inboxTable, suggestedAnswers } from './approval.ts';

test('a question is shown whole, an action with its arguments', () => {
  const question = `${'Which one? '.repeat(40)}Say.`;
  expect(approvalText(sampleApproval({ subject: 'Which', arguments: { question } }))).toBe(question);
  const action = sampleApproval({
    kind: 'action',
    subject: 'Run rm -r build',
    arguments: { command: 'rm -r build' },
  });
  expect(approvalText(action)).toBe('action: Run rm -r build\n{\n  "command": "rm -r build"\n}');
});

test('a question suggests its choices, whatever their name', () => {
  expect(suggestedAnswers(sampleApproval({ arguments: { choices: ['a', 'b'] } }))).toEqual(['a', 'b']);
  expect(suggestedAnswers(sampleApproval({ arguments: { options: ['raise', 'stop', 3] } }))).toEqual([
    'raise',
    'stop',
  ]);
  expect(suggestedAnswers(sampleApproval({ arguments: {} }))).toEqual([]);
});

test('an empty inbox says so; a full one is a table', () => {
  expect(inboxTable([], 0)).toBe('Nothing waits for you.');
  const item = { workspaceId: 'ws_1', workspace: 'default', approval: sampleApproval() };
  expect(inboxTable([item], 7_201_000).split('\n')).toEqual([
    'ID                          KIND      WORKSPACE  AGE  SUBJECT',
    'apr_0000000000000000000001  question  default    2 h  Which port?',
  ]);
});

test.each([
  [-5, '0 min'],
  [59 * 60_000, '59 min'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 d'],
])('an age of %d milliseconds is %s', (ms, text) => expect(ageText(ms)).toBe(text));
