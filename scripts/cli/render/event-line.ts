import type { WorkspaceEvent } from '../../../services/kit/database/event-log.ts';
import type { Paint } from '../paint.ts';
import { plainLine } from '../plain-text.ts';
import { moneyOrUnknown } from './amounts.ts';

/** The name of an agent by id, where it is known. */
export type NameOf = (agentId: string) => string | undefined;

type Line = (event: WorkspaceEvent, paint: Paint) => string | null;

const LINES: Record<string, Line> = {
  'run.started': ({ data }, paint) =>
    paint.dim(`started in ${text(data.mode)} mode with ${text(data.model)}`),
  'run.continued': (_, paint) => paint.dim('goes on'),
  'run.tool': ({ data }, paint) => toolLine(data, paint),
  'run.answered': ({ data }) => plainLine(text(data.text), 300) || null,
  'run.paused': ({ data }, paint) => paint.yellow(pausedLine(data)),
  'run.ended': ({ data }, paint) => endedLine(data, paint),
  'approval.requested': ({ data }, paint) =>
    data.status === 'unattended'
      ? paint.yellow(`refused, nobody is there to ask: ${plainLine(text(data.subject), 160)}`)
      : null,
  'approval.decided': ({ data }, paint) =>
    paint.dim(`${text(data.status)}: ${plainLine(text(data.subject), 160)}`),
  'orchestration.proposed': (_, paint) => paint.cyan('proposal made'),
  'orchestration.revised': (_, paint) => paint.cyan('proposal revised'),
  'orchestration.changesRequested': (_, paint) => paint.yellow('changes of the proposal are asked for'),
  'orchestration.approved': ({ data }, paint) =>
    paint.green(`proposal approved${data.deferred ? `, but for ${keysText(data.deferred)}` : ''}`),
  'orchestration.deferredApproved': ({ data }, paint) =>
    paint.green(`${keysText(data.tickets)} approved too`),
  'orchestration.leftOut': ({ data }, paint) => paint.yellow(`${keysText(data.tickets)} left out`),
  'orchestration.executing': (_, paint) => paint.cyan('work begins'),
  'orchestration.synthesizing': (_, paint) => paint.cyan('results are being brought together'),
  'orchestration.completed': (_, paint) => paint.green('completed'),
  'orchestration.failed': (_, paint) => paint.red('failed'),
  'orchestration.cancelled': (_, paint) => paint.yellow('cancelled'),
  'orchestration.budgetReached': (_, paint) =>
    paint.yellow('the budget is used up; a person must raise it or stop'),
  'budget.warned': ({ data }, paint) => paint.yellow(`80 % of ${budgetName(data)} is used`),
  'step.started': ({ data }, paint) =>
    isGate(data) ? null : paint.cyan(`step ${text(data.key)} started${attemptText(data.attempt)}`),
  'step.done': ({ data }, paint) => (isGate(data) ? null : paint.green(`step ${text(data.key)} done`)),
  'step.waiting': ({ data }, paint) =>
    isGate(data)
      ? paint.yellow(
          `${plainLine(text(data.key).replace('gate/', ''), 80)} is deferred: it waits for approval`,
        )
      : null,
  'step.failed': ({ data }, paint) =>
    paint.red(`step ${text(data.key)} failed: ${plainLine(text(data.error), 300)}`),
  'step.skipped': ({ data }, paint) => paint.yellow(`step ${text(data.key)} skipped`),
  'step.parked': ({ data }, paint) =>
    paint.yellow(`step ${text(data.key)} waits for a person: ${plainLine(text(data.error), 300)}`),
};

/** An event as a line for people, or null when it says nothing that they need; who did it stands first. */
export function eventLine(event: WorkspaceEvent, nameOf: NameOf, paint: Paint): string | null {
  const line = LINES[event.type]?.(event, paint) ?? null;
  if (line === null) return null;
  const who = nameOf(event.actor.replace(/^agent:/, ''));
  return who === undefined ? line : `${paint.bold(plainLine(who, 30))} ${line}`;
}

function toolLine(data: Record<string, unknown>, paint: Paint): string | null {
  if (data.state !== 'finished') return null;
  const said = data.summary ? `: ${plainLine(text(data.summary), 160)}` : '';
  const line = `${text(data.name)}${said}`;
  return data.isError === true ? paint.yellow(`${line} (error)`) : paint.dim(line);
}

function endedLine(data: Record<string, unknown>, paint: Paint): string {
  const cost = typeof data.costMicros === 'number' ? data.costMicros : null;
  const line = `run ${text(data.status)}, cost ${moneyOrUnknown(cost)}`;
  if (data.status === 'completed') return paint.dim(line);
  return paint.red(data.summary ? `${line}: ${plainLine(text(data.summary), 300)}` : line);
}

/** What a person paused has no error family. */
function pausedLine({ errorFamily, summary }: Record<string, unknown>): string {
  const family = errorFamily ? ` (${text(errorFamily)})` : '';
  return `paused${family}${summary ? `: ${plainLine(text(summary), 300)}` : ''}`;
}

function budgetName({ target, agentName }: Record<string, unknown>): string {
  const [kind = ''] = text(target).split(':');
  if (kind === 'agent') return `the budget of the agent ${plainLine(text(agentName), 40)}`;
  return kind === '' ? 'the budget' : `the budget of the ${plainLine(kind, 40)}`;
}

/** Gates do no work: what a person decides of them is told as such. */
function isGate({ key }: Record<string, unknown>): boolean {
  return text(key).startsWith('gate/');
}

function keysText(keys: unknown): string {
  return plainLine(Array.isArray(keys) ? keys.join(', ') : '', 200);
}

function attemptText(attempt: unknown): string {
  return typeof attempt === 'number' && attempt > 1 ? ` (attempt ${attempt})` : '';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value);
}
