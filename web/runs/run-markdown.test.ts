import { expect, test } from 'bun:test';
import type { Step } from '../../services/runs/pages/steps.ts';
import { runMarkdown } from './run-markdown.ts';

const step = (change: object): Step => ({ model: 'm-1', text: '', calls: [], ...change }) as unknown as Step;

test('answers, calls and outputs in order; an output that has fences stays inside its own', () => {
  const calls = [{ name: 'read_file', input: { path: 'a.md' }, output: '```ts\nx\n```' }];
  expect(runMarkdown('Run of qa', [step({ text: 'I look.', calls }), step({ text: 'Done.' })])).toBe(
    [
      '# Run of qa',
      '## 1. m-1',
      'I look.',
      '### read_file',
      '```\na.md\n```',
      '````\n```ts\nx\n```\n````',
      '## 2. m-1',
      'Done.\n',
    ].join('\n\n'),
  );
});
