import { Command } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import type { Cli } from './command.ts';
import { addApprove } from './commands/approve.ts';
import { addAsk } from './commands/ask.ts';
import { addCancel } from './commands/cancel.ts';
import { addDecide } from './commands/decide.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addFollow } from './commands/follow.ts';
import { addInbox } from './commands/inbox.ts';
import { addOrchestrations } from './commands/orchestrations.ts';
import { addReject } from './commands/reject.ts';
import { addRuns } from './commands/runs.ts';
import { addServe } from './commands/serve.ts';
import { addWorkspace } from './commands/workspace.ts';
import { EXIT_STATUS_HELP } from './exit-status.ts';

const COMMANDS = [
  ...[addAsk, addFollow, addApprove, addReject, addCancel, addInbox, addDecide],
  ...[addOrchestrations, addRuns, addWorkspace, addServe, addDemo, addDoctor],
];

/** The whole command line; parsing rejects with CommanderError instead of ending the process. */
export function createProgram(cli: Cli): Command {
  const program = new Command('cctl')
    .description(packageFile.description)
    .version(packageFile.version)
    .showSuggestionAfterError()
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText('after', `\n${EXIT_STATUS_HELP}`);
  for (const add of COMMANDS) add(program, cli);
  return program;
}
