import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { type Cli, onAction } from '../command.ts';
import { connect } from '../connect.ts';
import { createJobHandlers } from '../job-handlers.ts';
import { jobOutcome } from '../job-outcome.ts';
import { createJobScreen } from '../job-screen.ts';
import { locateOrchestration } from '../locate.ts';
import { followMainJob } from '../main-job.ts';
import { addRemoteOptions, type RemoteOptions } from '../remote-action.ts';
import { wholeNumber } from '../whole-number.ts';

interface Options extends RemoteOptions, LimitOptions {}

/** What ends the following of a job before the job itself does. */
export interface LimitOptions {
  timeout?: string;
  wait?: string;
}

/** How long a server that went away is waited for. */
export const PATIENCE_MS = 120_000;
const MOST_MINUTES = 10_000;
/** Long enough to answer from a second terminal that is at hand, short enough for a script. */
const WAIT_SECONDS = 20;
const MOST_WAIT_SECONDS = 86_400;

export function addFollow(program: Command, cli: Cli): void {
  const command = program
    .command('follow')
    .description('follow an orchestration or a plan to its end, answering what its agents ask')
    .argument('<id>', 'the orchestration or plan');
  addLimitOptions(command);
  addRemoteOptions(command);
  onAction<Options>(cli, command, async (context, options, [id = '']) => {
    const { timeoutMinutes, personWaitMs } = limitsOf(options);
    const once = await connect(context.env, { url: options.url });
    const { workspaceId, found } = await locateOrchestration(once, options.workspace, id);
    const screen = createJobScreen(context.terminal, once);
    const { spaceId, conversationId } = found;
    const target = { workspaceId, spaceId, conversationId, messageId: null, orchestrationId: id };
    const work = async (signal: AbortSignal) => {
      const client = await connect(context.env, { url: options.url, patienceMs: PATIENCE_MS, signal });
      const handlers = createJobHandlers({ context, client, screen, yes: false, personWaitMs });
      return followMainJob(client, target, {
        ...handlers,
        key: `follow/${randomUUID()}`,
        signal,
        afterSeq: null,
      });
    };
    return jobOutcome({ context, screen, timeoutMinutes, inProcess: false, work });
  });
}

export function addLimitOptions(command: Command): void {
  command
    .option('--timeout <minutes>', 'stop following after this long')
    .option(
      '--wait <seconds>',
      `without a terminal, end when a decision was waited for this long (default: ${WAIT_SECONDS})`,
    );
}

/** @throws CommandError usage */
export function limitsOf({ timeout, wait }: LimitOptions) {
  const waitSeconds = wait === undefined ? WAIT_SECONDS : wholeNumber(wait, '--wait', 0, MOST_WAIT_SECONDS);
  return {
    timeoutMinutes: timeout === undefined ? null : wholeNumber(timeout, '--timeout', 1, MOST_MINUTES),
    personWaitMs: waitSeconds * 1_000,
  };
}
