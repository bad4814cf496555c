import type { HarnessOutcome } from '../harness/outcome.ts';
import type { NewMessage } from '../peers/spaces-port.ts';
import type { RunRow } from '../runs/schema.ts';

/** What a message holds; a longer answer is whole in the run's output. */
const MESSAGE_CHARS = 200_000;

/**
 * What a run that a message woke leaves in the conversation: its final text, and a notice when it came to nothing, or to a
 * stop that a person has to know of. What a sub-agent comes to, its parent is told; only a stop that holds its parent up too
 * is a person's matter. Each key lets its message be posted once.
 */
export function lastWords(row: RunRow, outcome: HarnessOutcome): NewMessage[] {
  if (row.parentRunId !== null) {
    return [outcome.status === 'paused' ? notice(row, outcome) : null].filter((message) => message !== null);
  }
  if (row.triggerKind !== 'userMessage' && row.triggerKind !== 'followUp') return [];
  return [finalText(row, outcome), notice(row, outcome)].filter((message) => message !== null);
}

function finalText({ id }: RunRow, { status, output }: HarnessOutcome): NewMessage | null {
  const body = (output?.text.trim() ?? '').slice(0, MESSAGE_CHARS).toWellFormed();
  if (status !== 'completed' || body === '') return null;
  return { kind: 'text', body, data: { runId: id }, key: `${id}/final` };
}

function notice({ id }: RunRow, { status, errorFamily, summary }: HarnessOutcome): NewMessage | null {
  if (errorFamily === null || errorFamily === 'cancelled') return null;
  const data = { runId: id, status, errorFamily };
  // The same stop again, after a person let the run go on, is told once.
  const key = `${id}/notice/${Bun.hash(`${status} ${errorFamily} ${summary}`).toString(36)}`;
  return {
    kind: 'notice',
    body: `${HEADINGS[status]} (${errorFamily}): ${summary}${mendOf(id, status)}`,
    data,
    key,
  };
}

const HEADINGS: Record<HarnessOutcome['status'], string> = {
  completed: 'The run ended without a result',
  failed: 'The run failed',
  paused: 'The run is paused',
  suspended: 'The run waits',
  cancelled: 'The run was cancelled',
};

function mendOf(runId: string, status: HarnessOutcome['status']): string {
  if (status === 'paused')
    return `\n\nWhen the cause is mended, let it go on: \`cctl runs resume ${runId}\`.`;
  return '\n\nWrite again to try once more.';
}
