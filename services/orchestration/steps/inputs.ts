import { bounded } from '../text.ts';
import type { CollectOutput, StepOutput, StepScope } from './step-scope.ts';

/** Characters of one named input, and of all together. */
const INPUT_LIMIT = 4_000;
const ALL_INPUTS_LIMIT = 150_000;

interface NamedInput {
  name: string;
  text: string;
  ticketId: string | null;
}

/** The outputs a step is given, named, each within its bound, with the way to the whole. */
export function inputsText(scope: StepScope): string {
  const inputs = namedInputs(scope);
  const limit = Math.min(INPUT_LIMIT, Math.floor(ALL_INPUTS_LIMIT / Math.max(1, inputs.length)));
  return inputs
    .map((input) => `### ${input.name}\n\n${bounded(input.text, limit, wholeOf(input))}`)
    .join('\n\n');
}

function wholeOf({ ticketId }: NamedInput): string {
  return ticketId === null
    ? 'The whole is not kept elsewhere.'
    : `The whole is a comment on ticket ${ticketId}; read it with read_ticket.`;
}

function namedInputs(scope: StepScope): NamedInput[] {
  const titles = new Map(scope.pipeline.steps.map((step) => [step.key, step.title]));
  return scope.step.inputs.flatMap((key): NamedInput[] => {
    const output = scope.outputs.get(key);
    if (key === 'collect') return collectInputs(output as CollectOutput | undefined);
    const name = `${key} (${titles.get(key)})`;
    if (output === undefined)
      return [{ name, text: 'There is no result: the step was skipped.', ticketId: null }];
    const { text, ticketId } = output as StepOutput;
    return [{ name, text, ticketId }];
  });
}

function collectInputs(output: CollectOutput | undefined): NamedInput[] {
  return (output?.entries ?? []).map(({ key, title, status, text, ticketId }) => ({
    name: `${status === 'done' ? 'Done' : 'FAILED'}: ${key} (${title})`,
    text,
    ticketId,
  }));
}
