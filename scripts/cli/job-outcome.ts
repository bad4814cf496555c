import type { CommandContext, Outcome } from './command.ts';
import { CommandError } from './command-error.ts';
import { EXIT, type ExitStatus } from './exit-status.ts';
import type { JobEnd } from './job/job.ts';
import type { JobScreen } from './job-screen.ts';
import type { MainJobResult } from './main-job.ts';
import { closingText } from './render/closing-text.ts';
import { resultReport } from './render/result-report.ts';
import { stopOnSignals } from './stop-on-signals.ts';

const EXITS: Record<JobEnd, ExitStatus> = {
  completed: EXIT.ok,
  answered: EXIT.ok,
  waiting: EXIT.needsPerson,
  runPaused: EXIT.needsPerson,
  failed: EXIT.failed,
  cancelled: EXIT.failed,
  rejected: EXIT.failed,
  runFailed: EXIT.failed,
};

export interface JobCommand {
  context: CommandContext;
  screen: JobScreen;
  timeoutMinutes: number | null;
  /** Whether the server ends with this command. */
  inProcess: boolean;
  work(signal: AbortSignal): Promise<MainJobResult>;
}

/** Runs a job until its end, Ctrl-C or the time limit; the last two only stop watching it. */
export async function jobOutcome(command: JobCommand): Promise<Outcome> {
  const { context, screen } = command;
  const stop = new AbortController();
  const release = stopOnSignals(stop);
  const { timeoutMinutes } = command;
  const timer =
    timeoutMinutes === null
      ? null
      : setTimeout(() => stop.abort(timeUp(timeoutMinutes)), timeoutMinutes * 60_000);
  try {
    const result = await command.work(stop.signal);
    screen.close();
    const text = resultReport(result, context.terminal.paint, Date.now());
    context.terminal.note('');
    const closing = closingText(result, command.inProcess);
    if (closing !== '') context.terminal.note(closing);
    return { value: result, text, exitStatus: EXITS[result.end] };
  } catch (error) {
    screen.close();
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
    if (reason instanceof CommandError && (reason.code === 'interrupted' || reason.code === 'timeout')) {
      return detached(command, reason);
    }
    throw reason;
  } finally {
    release();
    if (timer) clearTimeout(timer);
  }
}

function timeUp(minutes: number): CommandError {
  return new CommandError(EXIT.failed, 'timeout', `Not finished within ${minutes} minutes.`);
}

function detached({ context, screen, inProcess }: JobCommand, reason: CommandError): Outcome {
  const [workspaceId, orchestrationId] = [screen.workspaceId(), screen.orchestrationId()];
  const goesOn = inProcess
    ? 'The server ran inside this command; `cctl serve` takes the work up again.'
    : 'The work goes on in the server.';
  const how = orchestrationId
    ? `Follow it again with\n  cctl follow ${orchestrationId}`
    : 'See `cctl orchestrations` and `cctl runs`.';
  context.terminal.note(`${reason.message} ${goesOn} ${how}`);
  const end = reason.code === 'timeout' ? 'timeout' : 'detached';
  return { value: { end, workspaceId, orchestrationId }, text: '', exitStatus: reason.exitStatus };
}
