import { isTicketId } from '../delegation/delegation-key.ts';
import type { HarnessOutcome } from '../harness/outcome.ts';
import type { NewMessage } from '../peers/spaces-port.ts';
import type { RunRow } from '../runs/schema.ts';
import type { ResumePlan } from '../runs/trouble.ts';
import { timeText } from '../steering/kept-notice.ts';

/** What a message holds; a longer answer is whole in the run's output. */
const MESSAGE_CHARS = 200_000;

export interface LeftRun {
  outcome: HarnessOutcome;
  resume: ResumePlan | null;
  /** How many messages it has read since it began. */
  read: number;
}

/**
 * What a run that a message woke leaves in the conversation: its final text, and a notice when it came to nothing, or to a
 * stop that a person has to know of. What a sub-agent comes to, its parent is told; only a stop that holds its parent up too
 * is a person's matter. Each key lets its message be posted once.
 */
export function lastWords(row: RunRow, left: LeftRun): NewMessage[] {
  const said = notice(row, left);
  if (row.parentRunId !== null) {
    return said !== null && left.outcome.status === 'paused' ? [said] : [];
  }
  if (!isAnswered(row)) return [];
  return [finalText(row, left), said].filter((message) => message !== null);
}

/** Whether people follow in the conversation what comes of the run; an orchestration posts by itself. */
export function isAnswered({ triggerKind, triggerId }: RunRow): boolean {
  if (triggerKind === 'assignment') return isTicketId(triggerId);
  return triggerKind === 'userMessage' || triggerKind === 'followUp' || triggerKind === 'childCompleted';
}

function finalText({ id }: RunRow, { outcome, read }: LeftRun): NewMessage | null {
  const { status, output } = outcome;
  const body = (output?.text.trim() ?? '').slice(0, MESSAGE_CHARS).toWellFormed();
  if (status !== 'completed' || body === '') return null;
  // A run that is told something after this goes on, and says more when it comes to its end again.
  const key = read === 0 ? `${id}/final` : `${id}/final/${read}`;
  return { kind: 'text', body, data: { runId: id }, key };
}

function notice({ id }: RunRow, { outcome, resume }: LeftRun): NewMessage | null {
  const { status, errorFamily, summary } = outcome;
  if (errorFamily === null || errorFamily === 'cancelled') return null;
  // A budget's stop says itself what lets the run go on.
  const mend = errorFamily === 'budget' ? '' : mendOf(id, status, resume);
  const body = `${HEADINGS[status]} (${errorFamily}): ${summary}${mend}`;
  const data = { runId: id, status, errorFamily };
  // The same stop again, after a person let the run go on, is told once; and so is trouble that lasts.
  const what = resume
    ? `${errorFamily} ${resume.troubleSince} ${resume.resumeAt === null}`
    : `${status} ${errorFamily} ${summary}`;
  return { kind: 'notice', body, data, key: `${id}/notice/${Bun.hash(what).toString(36)}` };
}

const HEADINGS: Record<HarnessOutcome['status'], string> = {
  completed: 'The run ended without a result',
  failed: 'The run failed',
  paused: 'The run is paused',
  suspended: 'The run waits',
  cancelled: 'The run was cancelled',
};

function mendOf(runId: string, status: HarnessOutcome['status'], resume: ResumePlan | null): string {
  if (status !== 'paused') return '\n\nWrite again to try once more.';
  const command = `\`cctl runs resume ${runId}\``;
  if (resume?.resumeAt == null) return `\n\nMend the cause, then resume it here or with ${command}.`;
  return `\n\nIt goes on by itself, first at ${timeText(resume.resumeAt)}. To try at once, resume it here or with ${command}.`;
}
