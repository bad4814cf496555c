import type { MainJobResult } from '../main-job.ts';
import type { Paint } from '../paint.ts';
import { plainText } from '../plain-text.ts';
import { duration, moneyOrUnknown } from './amounts.ts';
import { spentText, stepTable } from './step-table.ts';

/** How a job ended: what came of it, where it is, what it cost, and what is missing. */
export function resultReport(result: MainJobResult, paint: Paint, nowMs: number): string {
  return result.orchestration ? orchestrationReport(result, paint, nowMs) : answerReport(result, paint);
}

function orchestrationReport(result: MainJobResult, paint: Paint, nowMs: number): string {
  const { orchestration, steps } = result;
  if (!orchestration) return '';
  const sections = [];
  if (orchestration.deliverable !== null) {
    sections.push(`${paint.bold('Deliverable')}\n${plainText(orchestration.deliverable).trimEnd()}`);
  }
  if (orchestration.gaps !== null) sections.push(gapsText(orchestration.gaps, paint));
  sections.push(...branchSection(result, paint));
  if (steps.length > 0) sections.push(stepTable(steps, paint, nowMs));
  sections.push([...totalLine(result, nowMs), statusLine(result, paint)].join('\n'));
  return sections.join('\n\n');
}

function gapsText(gaps: readonly string[], paint: Paint): string {
  if (gaps.length === 0) return `${paint.bold('Gaps')}  none stated`;
  return [paint.bold('Gaps'), ...gaps.map((gap) => `  - ${plainText(gap)}`)].join('\n');
}

/** Nothing where the branch holds no change: a conversation has one from its start. */
function branchSection({ diff, orchestration, run }: MainJobResult, paint: Paint): string[] {
  if (diff?.stat === '' && (orchestration?.branch ?? null) === null) return [];
  const branch = orchestration?.branch ?? run?.branch ?? null;
  if (!diff) return branch === null ? [] : [`${paint.bold('Branch')}  ${plainText(branch)}`];
  const stat = diff.stat === null ? '(its changes cannot be shown from here)' : diff.stat || '(no changes)';
  return [
    `${paint.bold('Branch')}  ${plainText(diff.branch)} in ${plainText(diff.repository)}\n${plainText(stat)}\n` +
      `Merge it with\n  ${plainText(diff.mergeCommand)}`,
  ];
}

/** What the work cost and how long it took, and what the run cost that made the plan, which is no step of it. */
function totalLine({ orchestration, steps, run }: MainJobResult, nowMs: number): string[] {
  if (!orchestration) return [];
  const starts = steps.flatMap((step) => step.startedAt ?? []);
  const plan = run === null ? [] : [`${moneyOrUnknown(run.costMicros)} for the plan`];
  if (starts.length === 0) return plan.map((cost) => `Cost ${cost}`);
  const ends = steps.map((step) => (step.startedAt === null ? 0 : (step.endedAt ?? nowMs)));
  const work = `${spentText(orchestration.spentMicros, orchestration.costUnknown)} for the work`;
  return [`Cost ${[work, ...plan].join(', ')}; time ${duration(Math.max(...ends) - Math.min(...starts))}`];
}

function statusLine({ end, orchestration }: MainJobResult, paint: Paint): string {
  const id = orchestration?.id ?? '';
  if (end === 'completed') return paint.green(`Orchestration ${id} completed.`);
  if (end === 'waiting') {
    const status = orchestration?.status === 'proposed' ? 'still proposed' : orchestration?.status;
    return paint.yellow(`Orchestration ${id} is ${status} and waits for a decision.`);
  }
  if (end === 'failed') {
    const { code, message } = orchestration?.failure ?? {
      code: 'unknown',
      message: 'no reason was recorded',
    };
    return paint.red(`Orchestration ${id} failed (${code}): ${plainText(message)}`);
  }
  return paint.yellow(`Orchestration ${id} was ${end}.`);
}

function answerReport(result: MainJobResult, paint: Paint): string {
  const { messages, end } = result;
  const run = result.lastRun ?? result.run;
  const said =
    run?.output?.text ?? messages.findLast((message) => message.author.startsWith('agent:'))?.body ?? '';
  const sections = said === '' ? [] : [plainText(said).trimEnd()];
  sections.push(...branchSection(result, paint));
  const cost = run ? `Cost ${moneyOrUnknown(run.costMicros)}` : '';
  const why = run?.summary ? `: ${plainText(run.summary)}` : '';
  if (end === 'runFailed') sections.push(paint.red(`The run ${run?.id} ${run?.status}${why}`));
  if (end === 'runPaused') {
    sections.push(
      paint.yellow(`The run ${run?.id} is paused${why}\nGo on with\n  cctl runs resume ${run?.id}`),
    );
  }
  if (cost !== '') sections.push(cost);
  return sections.join('\n\n');
}
