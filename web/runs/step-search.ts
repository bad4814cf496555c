import type { Step, Steps } from '../../services/runs/pages/steps.ts';
import { inputText } from '../conversation/runs/call-words.ts';

/** Where in a step words were found. */
export type Place = 'text' | 'thinking' | 'call' | 'output' | 'between';

type Pieces = readonly (readonly [Place, string])[];
type Between = Steps['opening'][number];

/** A step is searched at each letter that is typed, and does not change. */
const known = new WeakMap<Step, Pieces>();

function piecesOf(step: Step): Pieces {
  const before = known.get(step);
  if (before) return before;
  const pieces: Pieces = [
    ['text', step.text],
    ['thinking', step.thinking ?? ''],
    ...step.calls.map(({ name, input }) => ['call', `${name}\n${inputText(input)}`] as const),
    ...step.calls.map(({ output }) => ['output', output ?? ''] as const),
    ...step.between.map((between) => ['between', textOf(between)] as const),
  ];
  const lower = pieces.map(([place, text]) => [place, text.toLowerCase()] as const);
  known.set(step, lower);
  return lower;
}

const textOf = (between: Between): string => (between.kind === 'undo' ? '' : between.text);

/** What was typed, as the words that each have to be found. */
export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** Where a step has the words, each of them anywhere in it; null where one is in no place. */
export function placesIn(step: Step, words: readonly string[]): Place[] | null {
  const pieces = piecesOf(step);
  const found = words.map((word) => pieces.filter(([, text]) => text.includes(word)));
  if (found.some((places) => places.length === 0)) return null;
  return [...new Set(found.flat().map(([place]) => place))];
}

/** Whether what came between answers has every word. */
export function hasWords(between: Between, words: readonly string[]): boolean {
  const text = textOf(between).toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Whether an output is longer than what is at hand, so that words in its rest are not found. */
export const hasCutOutput = (steps: readonly Step[]): boolean =>
  steps.some(({ calls }) =>
    calls.some(
      ({ output, outputChars }) => output !== null && outputChars !== null && outputChars > output.length,
    ),
  );
