import type { Step } from '../../services/runs/pages/steps.ts';
import { inputText } from '../conversation/runs/call-words.ts';

/** More backticks than stand in a row in the text, so that no text ends its own fence. */
function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** A run as Markdown, to hand on: each answer with its calls and what came of them. */
export function runMarkdown(title: string, steps: readonly Step[]): string {
  const parts = steps.flatMap((step, i) => [
    `## ${i + 1}. ${step.model}`,
    ...(step.text.trim() === '' ? [] : [step.text.trim()]),
    ...step.calls.flatMap(({ name, input, output }) => [
      `### ${name}`,
      fenced(inputText(input)),
      ...(output === null || output === '' ? [] : [fenced(output)]),
    ]),
  ]);
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}
