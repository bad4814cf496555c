import type { RunPage } from '../client/activity-calls.ts';
import type { Paint } from '../paint.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { duration, moneyOrUnknown, plural } from './amounts.ts';
import { decidedByText } from './explanation-text.ts';

type Step = RunPage['steps'][number];
type StepCall = Step['calls'][number];
type Between = Step['between'][number];

/** What a run did, step by step: each answer, its calls with what they were given and gave, and who decided over them. */
export function runStepsText({ run, opening, steps }: RunPage, paint: Paint): string {
  const calls = steps.flatMap((step) => step.calls);
  const denied = calls.filter(({ state }) => state === 'denied').length;
  const counts = [plural(steps.length, 'answer'), plural(calls.length, 'call'), `${denied} denied`];
  return [
    `${paint.bold('Run')} ${run.id}  ${run.status}  ${counts.join(', ')}`,
    ...opening.map((one) => betweenLine(one, paint)),
    ...steps.flatMap((step) => stepLines(step, paint)),
  ].join('\n');
}

function stepLines(step: Step, paint: Paint): string[] {
  const { turn, undone, summarized, costMicros, durationMs, tokens, stopReason } = step;
  const marks = [...(undone ? ['undone'] : []), ...(summarized ? ['summed up'] : [])];
  const sent = tokens.input + tokens.cacheRead + tokens.cacheWrite;
  const facts = [
    duration(durationMs),
    moneyOrUnknown(costMicros),
    `${sent} in, ${tokens.output} out`,
    stopReason,
  ];
  const title = `Step ${turn}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
  return [
    '',
    `${paint.bold(title)}  ${paint.dim(facts.join(', '))}`,
    ...(step.thinking === null ? [] : [paint.dim(`  (thinking) ${plainLine(step.thinking, 300)}`)]),
    ...(step.text === '' ? [] : plainText(step.text).split('\n')),
    ...step.calls.flatMap((call) => callLines(call, paint)),
    ...step.between.map((one) => betweenLine(one, paint)),
  ];
}

const PAINTS: Record<StepCall['state'], keyof Paint> = {
  ...{ open: 'dim', held: 'yellow', started: 'cyan', succeeded: 'green', failed: 'red', denied: 'red' },
};

function callLines(call: StepCall, paint: Paint): string[] {
  const { name, input, state, output, outputChars, durationMs, media } = call;
  const took = durationMs === null || state === 'denied' ? '' : ` ${duration(durationMs)}`;
  const given = typeof input === 'string' ? input : JSON.stringify(input);
  const cut = output !== null && (outputChars ?? 0) > output.length ? ` (${outputChars} characters)` : '';
  return [
    `  ${paint[PAINTS[state]](state.padEnd(9))} ${paint.bold(plainLine(name, 80))} ${plainLine(given, 300)}${took}`,
    ...decisionLines(call),
    ...(output === null ? [] : [paint.dim(`    = ${plainLine(output, 300)}${cut}`)]),
    ...media.map(({ mediaType, bytes }) => paint.dim(`    = ${plainLine(mediaType, 60)}, ${bytes} bytes`)),
  ];
}

/** Nothing where the call has no effect that anything could hold back. */
function decisionLines({ decision, approvalId, state }: StepCall): string[] {
  if (state === 'held') return [`    waits for a person: ${approvalId}`];
  if (!decision || decision.rule.kind === 'harmless' || decision.rule.kind === 'pinned') return [];
  const asked = approvalId === null ? '' : `, approval ${approvalId}`;
  // Of what is allowed unless told otherwise there is no more to say.
  const isPlain = decision.rule.kind === 'default' && decision.decision === 'allow';
  const why = isPlain ? '' : `: ${plainLine(decision.reason, 200)}`;
  return [`    ${decision.decision} by ${decidedByText(decision.rule)}${asked}${why}`];
}

function betweenLine(one: Between, paint: Paint): string {
  switch (one.kind) {
    case 'note':
      return `${paint.cyan(`> ${one.cause}`)} ${plainLine(one.text, 400)}`;
    case 'summary':
      return `${paint.cyan(`> summary of the first ${plural(one.turns, 'step')}`)} ${plainLine(one.text, 400)} (${moneyOrUnknown(one.costMicros)})`;
    case 'undo':
      return paint.cyan(`> taken back to step ${one.turns}`);
  }
}
