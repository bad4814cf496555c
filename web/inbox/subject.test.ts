import { expect, test } from 'bun:test';
import { subjectOf } from './subject.ts';

const asked = (kind: 'action' | 'question' | 'orchestration' | 'plan_exit', subject: string, args = {}) =>
  subjectOf({ kind, subject, arguments: args });

test('a line says what is asked, without what its kind says already', () => {
  expect(asked('action', 'run_command: git push')).toBe('git push');
  expect(asked('action', 'fetch_url: {"url":"x"}')).toBe('fetch_url: {"url":"x"}');
  expect(asked('orchestration', 'Approve revision 12 of the proposal: Ship it')).toBe('Ship it');
  expect(asked('orchestration', 'Approve revision 1 of the plan: Mend it')).toBe('Mend it');
  expect(asked('question', 'Which **colour**?\n\nThere are three.')).toBe('Which colour?');
  expect(asked('plan_exit', 'Leave plan mode', { summary: '# Now\n- one `thing`' })).toBe('Now one thing');
});
