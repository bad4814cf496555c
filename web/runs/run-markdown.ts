import type { Step, Steps } from '../../services/runs/pages/steps.ts';
import { inputText } from '../conversation/runs/call-words.ts';
import { withoutOrders } from './terminal-text.ts';

/** What the words around a run's own are, in the person's language. */
export interface RunMarkdownWords {
  answer(number: number): string;
  thinking: string;
  /** What came between two answers. */
  between(between: Steps['opening'][number]): string;
  /** How a call stands; null where it is done, which needs no word. */
  state(call: Step['calls'][number]): string | null;
  /** Below an output that is not here as a whole. */
  cut(shown: number, all: number): string;
}

interface RunText extends Steps {
  title: string;
  /** What is said of the run before its steps, a line each. */
  facts: readonly string[];
}

/** A run as Markdown, to hand on: what it was told, each answer with its calls, and what came of them. */
export function runMarkdown({ title, facts, opening, steps }: RunText, words: RunMarkdownWords): string {
  const parts = steps.flatMap((step, i) => [
    `## ${words.answer(i + 1)}`,
    ...(step.thinking === null ? [] : [quoted(`${words.thinking}\n\n${step.thinking.trim()}`)]),
    ...(step.text.trim() === '' ? [] : [step.text.trim()]),
    ...step.calls.flatMap((call) => callParts(call, words)),
    ...step.between.flatMap((between) => betweenParts(between, words)),
  ]);
  const head = [`# ${title}`, ...(facts.length > 0 ? [facts.map((fact) => `- ${fact}`).join('\n')] : [])];
  const told = opening.flatMap((between) => betweenParts(between, words));
  return `${[...head, ...told, ...parts].join('\n\n')}\n`;
}

function callParts(call: Step['calls'][number], words: RunMarkdownWords): string[] {
  const { name, input, output, outputChars } = call;
  const state = words.state(call);
  const head = [`### ${name}${state === null ? '' : ` (${state})`}`, fenced(inputText(input))];
  if (output === null || output === '') return head;
  const isCut = outputChars !== null && outputChars > output.length;
  return [...head, fenced(withoutOrders(output)), ...(isCut ? [words.cut(output.length, outputChars)] : [])];
}

function betweenParts(between: Steps['opening'][number], words: RunMarkdownWords): string[] {
  const head = `### ${words.between(between)}`;
  return between.kind === 'undo' ? [head] : [head, quoted(between.text.trim())];
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** More backticks than stand in a row in the text, so that no text ends its own fence. */
function fenced(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}
