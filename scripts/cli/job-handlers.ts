import type { Approval, Client } from './client/client.ts';
import type { CommandContext } from './command.ts';
import { editProposal } from './edit-proposal.ts';
import { editText } from './editor.ts';
import type { Decision, JobHandlers, ProposalView } from './job/job.ts';
import { decideCommands } from './job/waiting.ts';
import type { JobScreen } from './job-screen.ts';
import { plainLine } from './plain-text.ts';
import { askAgain, askForAnswer, askReason, askToResume, chooseForProposal } from './prompts.ts';
import { approvalText } from './render/approval.ts';
import { proposalTree } from './render/proposal-tree.ts';
import { writeOut } from './terminal.ts';

export interface HandlerOptions {
  context: CommandContext;
  client: Client;
  screen: JobScreen;
  /** Approves without asking. */
  yes: boolean;
  /** How long a decision made elsewhere is waited for where nobody can be asked here. */
  personWaitMs: number;
}

/** Puts a job's decisions before the person at the terminal; where there is none, leaves them waiting. */
export function createJobHandlers(options: HandlerOptions): JobHandlers {
  const { screen, context } = options;
  const shared = { onProgress: screen.onProgress };
  const decide = options.yes
    ? approveAll(options)
    : context.terminal.interactive
      ? decideAtPrompt(options)
      : leave(options);
  if (!context.terminal.interactive) {
    const { personWaitMs } = options;
    return { ...shared, decide, personWaitMs, answer: async (approval) => later(options, approval) };
  }
  return {
    ...shared,
    attending: true,
    decide,
    answer: (approval, signal) =>
      screen.during(() => askForAnswer(approval, plainLine(screen.nameOf(approval.requester), 40), signal)),
    resume: (run, signal) => screen.during(() => askToResume(run, signal)),
  };
}

function approveAll({ context }: HandlerOptions): JobHandlers['decide'] {
  return async (view) => {
    showOnStderr(context, view);
    context.terminal.note('Approved by --yes.');
    return 'approve';
  };
}

function leave({ context }: HandlerOptions): JobHandlers['decide'] {
  return async (view) => {
    showOnStderr(context, view);
    return 'leave';
  };
}

function showOnStderr({ terminal }: CommandContext, view: ProposalView): void {
  terminal.note(proposalTree(view, terminal.notePaint, terminal.columns));
  terminal.event({ type: 'proposal', ...view });
}

function decideAtPrompt({ context, client, screen }: HandlerOptions): JobHandlers['decide'] {
  const { terminal, env } = context;
  return (view, signal) =>
    screen.during(async (): Promise<Decision> => {
      await writeOut(process.stdout, `\n${proposalTree(view, terminal.paint, terminal.columns)}\n\n`);
      for (;;) {
        const choice = await chooseForProposal(signal);
        if (choice === null) return 'reread';
        if (choice === 'approve' || choice === 'leave') return choice;
        if (choice === 'reject' || choice === 'requestChanges') {
          const reason = await askReason(signal);
          if (reason === null) return 'reread';
          return choice === 'reject' ? { reject: reason } : { requestChanges: reason };
        }
        const edit = (text: string) => editText(text, `${view.id}.json`, env);
        const say = (text: string) => terminal.note(text);
        if ((await editProposal(client, view, { edit, again: askAgain, say })) || signal.aborted)
          return 'reread';
      }
    });
}

function later({ context, screen }: HandlerOptions, approval: Approval): 'later' {
  const who = plainLine(screen.nameOf(approval.requester), 40);
  const how = decideCommands(approval.id, approval.kind).map((command) => `\n  ${command}`);
  context.terminal.note(`${who} asks. ${approvalText(approval)}${how.join('')}`);
  context.terminal.event({ type: 'approval', approval });
  return 'later';
}
