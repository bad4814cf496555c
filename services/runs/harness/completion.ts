import { type Conversation, type Turn, textOf } from './conversation.ts';
import type { HarnessJob } from './job.ts';
import type { AnswerEntry, UserEntry } from './journal.ts';
import { nudge, repair } from './notes.ts';
import type { ErrorFamily, HarnessOutcome, RunOutput } from './outcome.ts';
import { checkOutput, type SchemaFault } from './output-schema.ts';

/** What follows an answer without calls: one more word to the model, or the end. */
export type Conclusion = { note: UserEntry } | { outcome: HarnessOutcome };

const SUMMARY_CHARS = 300;

/** Decides by the completion contract, then by the output schema; the model gets one reminder for each. */
export function concludeAnswer(job: HarnessJob, conversation: Conversation): Conclusion {
  const text = finalText(conversation.turns);
  if (job.exitVerb !== null && !hasSucceeded(job.exitVerb, conversation)) {
    return hasCause(conversation, 'nudge')
      ? { outcome: silent('completed', unfulfilled(job.exitVerb, text), { text, value: null }) }
      : { note: nudge(job.exitVerb) };
  }
  if (job.outputSchema !== null) return concludeOutput(job.outputSchema, text, conversation);
  const saidNothing = text.trim() === '' && conversation.turns.every((turn) => turn.calls.length === 0);
  const output = { text, value: null };
  return {
    outcome: saidNothing
      ? silent('completed', 'The run ended without saying or doing anything.', output)
      : completed(output),
  };
}

function concludeOutput(
  schema: Record<string, unknown>,
  text: string,
  conversation: Conversation,
): Conclusion {
  const checked = checkOutput(text, schema);
  if (checked.ok) return { outcome: completed({ text, value: checked.value }) };
  if (!hasCause(conversation, 'repair')) return { note: repair(checked.faults) };
  return { outcome: silent('failed', wrongOutput(checked.faults), { text, value: null }) };
}

/** The last answer's text, together with the parts of it that were cut off by the token limit before. */
function finalText(turns: readonly Turn[]): string {
  const answers = turns.map((turn) => turn.answer);
  const whole = answers.findLastIndex(
    (answer, index) =>
      index < answers.length - 1 &&
      (!isCut(answer) || answer.content.some((block) => block.type === 'tool_use')),
  );
  return answers
    .slice(whole + 1)
    .map(textOf)
    .join('');
}

/** Whether an answer ended at a limit of tokens and not where the model meant to. */
export function isCut({ stopReason }: AnswerEntry): boolean {
  return stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded';
}

function completed(output: RunOutput): HarnessOutcome {
  return {
    status: 'completed',
    liveness: 'progressing',
    errorFamily: null,
    summary: shortened(output.text) || 'The run did its work and said nothing at the end.',
    output,
    waitingFor: null,
  };
}

function silent(status: 'completed' | 'failed', summary: string, output: RunOutput): HarnessOutcome {
  return { status, liveness: 'empty', errorFamily: 'silentRun', summary, output, waitingFor: null };
}

/** The outcome of a run that ends without an answer of its own. */
export function stopped(
  status: 'failed' | 'paused' | 'cancelled',
  liveness: HarnessOutcome['liveness'],
  errorFamily: ErrorFamily,
  summary: string,
): HarnessOutcome {
  return { status, liveness, errorFamily, summary, output: null, waitingFor: null };
}

export function cancelled(): HarnessOutcome {
  return stopped('cancelled', 'empty', 'cancelled', 'The run was cancelled.');
}

function unfulfilled(exitVerb: string, text: string): string {
  const said = shortened(text);
  const base = `The run ended without a successful call of ${exitVerb}.`;
  return said === '' ? base : `${base} It said: ${said}`;
}

function wrongOutput(faults: readonly SchemaFault[]): string {
  const list = faults.map((fault) => `${fault.path}: ${fault.message}`).join(' ');
  return shortened(`The final answer does not match the output schema. ${list}`);
}

export function hasSucceeded(tool: string, { turns }: Conversation): boolean {
  return turns.some((turn) =>
    turn.calls.some((call) => call.name === tool && turn.results.get(call.id)?.isError === false),
  );
}

function hasCause({ opening, turns }: Conversation, cause: UserEntry['cause']): boolean {
  return [opening, ...turns.map((turn) => turn.notes)].some((notes) =>
    notes.some((note) => note.cause === cause),
  );
}

export function shortened(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= SUMMARY_CHARS ? line : `${line.slice(0, SUMMARY_CHARS - 1).toWellFormed()}…`;
}
