import { expect, test } from 'bun:test';
import { sampleApproval } from '../testing/sample.ts';
import { ageText, approvalText, askedText, inboxTable, suggestedAnswers } from './approval.ts';

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

const entry = (change: Parameters<typeof sampleApproval>[0] = {}) => ({
  workspaceId: 'ws_1',
  workspace: 'default',
  approval: { ...sampleApproval(change), agentName: 'ceo', spaceName: 'Shop', ageMs: 7_200_000 },
});

test('an empty inbox says so; a full one is a table', () => {
  expect(inboxTable([])).toBe('Nothing waits for you.');
  expect(inboxTable([entry()]).split('\n')).toEqual([
    'ID                          KIND      WORKSPACE  AGE  AGENT  SPACE  SUBJECT',
    'apr_0000000000000000000001  question  default    2 h  ceo    Shop   Which port?',
  ]);
});

const push = {
  kind: 'action' as const,
  subject: 'Run git push',
  arguments: { tool: 'run_command', input: { command: 'git push\u001b[2J' }, asked: ['git_push'] },
};

test('a command is shown whole and its lines as lines; of leaving plan mode, what is meant to be done', () => {
  const askedOf = (input: Record<string, string>) =>
    askedText(sampleApproval({ kind: 'action', arguments: { tool: 'run_command', input } }));
  const long = `${'npm test && '.repeat(30)}git push`;
  expect(askedOf({ command: long })).toBe(`run_command ${long}`);
  expect(askedOf({ command: 'echo hi\r\ngit push\n' })).toBe('run_command echo hi ⏎ git push');
  expect(askedOf({ path: 'a', content: 'b'.repeat(500) })).toEndWith('… (the rest: cctl inbox --json)');
  const summary = 'I would\nwrite a file.';
  expect(askedText(sampleApproval({ kind: 'plan_exit', arguments: { summary } }))).toBe(
    'I would write a file.',
  );
});

test('under an action stands what it would do, and one that nobody was there for is marked', () => {
  const lines = inboxTable([entry(push), entry({ ...push, status: 'unattended' })]).split('\n');
  expect(lines.length).toBe(5);
  expect(lines[2]).toBe('    run_command git push␛[2J [git_push]');
  expect(lines[3]).toContain('action, refused: nobody was there');
});

test('what an action asks is the tool, its input on one line, and the effects that need a word', () => {
  const input = { path: 'a.ts', text: 'x'.repeat(500) };
  const asked = askedText(
    sampleApproval({
      kind: 'action',
      arguments: { tool: 'write_file', input, classes: ['file_write'], asked: [] },
    }),
  );
  expect(asked).toStartWith('write_file {"path":"a.ts","text":"xxx');
  expect(asked).toEndWith('… (the rest: cctl inbox --json) [file_write]');
  expect(askedText(sampleApproval())).toBe('');
  expect(askedText(sampleApproval({ kind: 'action', arguments: { command: 'x' } }))).toBe('');
});

test.each([
  [-5, '0 min'],
  [59 * 60_000, '59 min'],
  [47 * 3_600_000, '47 h'],
  [48 * 3_600_000, '2 d'],
])('an age of %d milliseconds is %s', (ms, text) => expect(ageText(ms)).toBe(text));
