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

interface Options extends RemoteOptions {
  timeout?: string;
}

/** How long a server that went away is waited for. */
export const PATIENCE_MS = 120_000;
const MOST_MINUTES = 10_000;

export function addFollow(program: Command, cli: Cli): void {
  const command = program
    .command('follow')
    .description('follow an orchestration to its end, answering what its agents ask')
    .argument('<id>', 'the orchestration')
    .option('--timeout <minutes>', 'stop following after this long');
  addRemoteOptions(command);
  onAction<Options>(cli, command, async (context, options, [id = '']) => {
    const timeoutMinutes = timeoutOf(options.timeout);
    const once = await connect(context.env, { url: options.url });
    const { workspaceId, found } = await locateOrchestration(once, options.workspace, id);
    const screen = createJobScreen(context.terminal, once);
    const { spaceId, conversationId } = found;
    const target = { workspaceId, spaceId, conversationId, messageId: null, orchestrationId: id };
    const work = async (signal: AbortSignal) => {
      const client = await connect(context.env, { url: options.url, patienceMs: PATIENCE_MS, signal });
      const handlers = createJobHandlers({ context, client, screen, yes: false });
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

export function timeoutOf(text: string | undefined): number | null {
  return text === undefined ? null : wholeNumber(text, '--timeout', 1, MOST_MINUTES);
}
