import type { Command } from 'commander';
import packageFile from '../../package.json' with { type: 'json' };
import { CctlCommand } from './cctl-command.ts';
import type { Cli } from './command.ts';
import { addAgents } from './commands/agents.ts';
import { addApprove } from './commands/approve.ts';
import { addAsk } from './commands/ask.ts';
import { addAudit } from './commands/audit.ts';
import { addBudget } from './commands/budget.ts';
import { addCancel } from './commands/cancel.ts';
import { addCompletion } from './commands/completion.ts';
import { addDecide } from './commands/decide.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addFollow } from './commands/follow.ts';
import { addGuardrails } from './commands/guardrails.ts';
import { addHonesty } from './commands/honesty.ts';
import { addInbox } from './commands/inbox.ts';
import { addMembers } from './commands/members.ts';
import { addModels } from './commands/models.ts';
import { addOrchestrations } from './commands/orchestrations.ts';
import { addPlans } from './commands/plans.ts';
import { addReject } from './commands/reject.ts';
import { addRequestChanges } from './commands/request-changes.ts';
import { addReview } from './commands/review.ts';
import { addRuns } from './commands/runs.ts';
import { addServe } from './commands/serve.ts';
import { addSessions } from './commands/sessions.ts';
import { addSignIn } from './commands/sign-in.ts';
import { addSpace } from './commands/space.ts';
import { addSteps } from './commands/steps.ts';
import { addTickets } from './commands/tickets.ts';
import { addTokens } from './commands/tokens.ts';
import { addWorkspace } from './commands/workspace.ts';
import { EXIT_STATUS_HELP } from './exit-status.ts';

const COMMANDS = [
  ...[addAsk, addFollow, addInbox, addDecide, addApprove, addRequestChanges, addReject, addCancel],
  ...[
    addOrchestrations,
    addPlans,
    addSteps,
    addRuns,
    addBudget,
    addAgents,
    addReview,
    addSpace,
    addTickets,
    addGuardrails,
    addAudit,
    addHonesty,
    addModels,
  ],
  ...[
    addWorkspace,
    addMembers,
    addSignIn,
    addSessions,
    addTokens,
    addServe,
    addDemo,
    addDoctor,
    addCompletion,
  ],
];

/** The whole command line; parsing rejects with CommanderError instead of ending the process. */
export function createProgram(cli: Cli): Command {
  const program = new CctlCommand('cctl')
    .description(packageFile.description)
    .version(packageFile.version)
    .showSuggestionAfterError()
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText('after', `\n${EXIT_STATUS_HELP}`);
  for (const add of COMMANDS) add(program, cli);
  return program;
}
