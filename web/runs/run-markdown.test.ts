import { expect, test } from 'bun:test';
import type { Step } from '../../services/runs/pages/steps.ts';
import { type RunMarkdownWords, runMarkdown } from './run-markdown.ts';

const words: RunMarkdownWords = {
  answer: (n) => `Answer ${n}`,
  thinking: 'Thought',
  between: ({ kind }) => kind,
  state: ({ state }) => (state === 'succeeded' ? null : state),
  cut: (shown, all) => `${shown} of ${all}`,
};
const step = (change: object): Step =>
  ({ text: '', thinking: null, calls: [], between: [], ...change }) as unknown as Step;
const call = (change: object) => ({
  name: 'read_file',
  input: { path: 'a.md' },
  state: 'succeeded',
  ...change,
});
const markdown = (steps: Step[], opening: Step['between'] = []) =>
  runMarkdown({ title: 'Run of qa', facts: [], opening, steps }, words);

test('answers, calls and outputs in order; an output that has fences stays inside its own', () => {
  const calls = [call({ output: '```ts\nx\n```', outputChars: 11 })];
  expect(markdown([step({ text: 'I look.', calls }), step({ text: 'Done.' })])).toBe(
    [
      '# Run of qa',
      '## Answer 1',
      'I look.',
      '### read_file',
      '```\na.md\n```',
      '````\n```ts\nx\n```\n````',
      '## Answer 2',
      'Done.\n',
    ].join('\n\n'),
  );
});

test('what it was told, its thoughts, how calls stand and what is missing of an output are said', () => {
  const calls = [
    call({ state: 'failed', output: '\u001b[31mno', outputChars: 700 }),
    call({ state: 'open', output: null, outputChars: null }),
  ];
  const between: Step['between'] = [{ kind: 'undo', at: 1, turns: 2 }];
  const opening: Step['between'] = [{ kind: 'note', at: 1, cause: 'prompt', text: 'Please\n\nlook' }];
  expect(markdown([step({ thinking: 'Well.', calls, between })], opening)).toBe(
    [
      '# Run of qa',
      '### note',
      '> Please\n>\n> look',
      '## Answer 1',
      '> Thought\n>\n> Well.',
      '### read_file (failed)',
      '```\na.md\n```',
      '```\nno\n```',
      '7 of 700',
      '### read_file (open)',
      '```\na.md\n```',
      '### undo\n',
    ].join('\n\n'),
  );
});
