import { text as askText, confirm, isCancel, select } from '@clack/prompts';
import type { Run } from '../../services/runs/runs/schema.ts';
import type { Approval } from './client/client.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-status.ts';
import type { Answer } from './job/job.ts';
import { plainLine } from './plain-text.ts';
import { approvalText, suggestedAnswers } from './render/approval.ts';

/** Ctrl-C, at a prompt or anywhere else. */
export function interrupted(): CommandError {
  return new CommandError(EXIT.interrupted, 'interrupted', 'Interrupted.');
}

/** What was chosen, or null when the matter was settled elsewhere meanwhile. @throws interrupted at Ctrl-C */
async function chosen<T>(prompt: Promise<T>, signal: AbortSignal): Promise<Exclude<T, symbol> | null> {
  const value = await prompt;
  if (!isCancel(value)) return value as Exclude<T, symbol>;
  if (signal.aborted) return null;
  throw interrupted();
}

export type ProposalChoice = 'approve' | 'edit' | 'requestChanges' | 'reject' | 'leave';

export function chooseForProposal(signal: AbortSignal): Promise<ProposalChoice | null> {
  const options: { value: ProposalChoice; label: string; hint?: string }[] = [
    { value: 'approve', label: 'Approve', hint: 'hire who is missing and start the work' },
    { value: 'edit', label: 'Edit', hint: 'as JSON in your editor' },
    { value: 'requestChanges', label: 'Request changes', hint: 'the agent makes another revision' },
    { value: 'reject', label: 'Reject' },
    { value: 'leave', label: 'Decide later' },
  ];
  return chosen<ProposalChoice | symbol>(
    select({ message: 'What shall become of this proposal?', options, signal }),
    signal,
  );
}

export function askReason(signal: AbortSignal): Promise<string | null> {
  const validate = (value: string | undefined) =>
    value?.trim() ? undefined : 'Say why, so that it can be done better.';
  return chosen(askText({ message: 'Why?', validate, signal }), signal);
}

export async function askAgain(faults: readonly string[]): Promise<boolean> {
  const signal = new AbortController().signal;
  const message = `The proposal is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}\nEdit it again?`;
  return (await chosen(confirm({ message }), signal)) ?? false;
}

export async function askToResume(run: Run, signal: AbortSignal): Promise<boolean> {
  const why = run.summary ?? run.errorFamily ?? 'no reason was recorded';
  const message = `${plainLine(run.agentName, 40)} is paused: ${plainLine(why, 300)}\nGo on?`;
  return (await chosen(confirm({ message, signal }), signal)) ?? false;
}

export async function askForAnswer(approval: Approval, asker: string, signal: AbortSignal): Promise<Answer> {
  const message = `${asker} asks. ${approvalText(approval)}`;
  if (approval.kind !== 'question') return allowOrRefuse(approval, message, signal);
  const suggested = suggestedAnswers(approval);
  return suggested.length === 0 ? answerInWords(message, signal) : answerByChoice(message, suggested, signal);
}

async function answerInWords(message: string, signal: AbortSignal): Promise<Answer> {
  const placeholder = 'leave empty to answer later';
  const answer = await chosen(askText({ message, placeholder, signal }), signal);
  return answer?.trim() ? { decision: 'approved', answer } : 'later';
}

async function answerByChoice(message: string, suggested: string[], signal: AbortSignal): Promise<Answer> {
  const options = [
    ...suggested.map((answer, i) => ({ value: i, label: plainLine(answer, 200) })),
    { value: -1, label: 'Something else or later' },
  ];
  const choice = await chosen(select({ message, options, signal }), signal);
  if (choice === null) return 'later';
  const answer = suggested[choice];
  return answer === undefined ? answerInWords('Your answer', signal) : { decision: 'approved', answer };
}

type Choice = 'once' | 'run' | 'rule' | 'changes' | 'refused' | 'later';

const ALLOW: Partial<Record<Approval['kind'], [Choice, string, string?][]>> = {
  action: [
    ['once', 'Allow', 'this call, this once'],
    ['run', 'Allow for this run', 'the same call with the same arguments'],
    ['rule', 'Always allow in this space', 'a rule for these effect classes'],
  ],
  plan_exit: [
    ['once', 'Let it work', 'the space leaves plan mode'],
    ['changes', 'Request changes'],
  ],
};

async function allowOrRefuse(approval: Approval, message: string, signal: AbortSignal): Promise<Answer> {
  const allow = ALLOW[approval.kind] ?? [['once', 'Allow']];
  const choices: [Choice, string, string?][] = [...allow, ['refused', 'Refuse'], ['later', 'Decide later']];
  const options = choices.map(([value, label, hint]) => ({ value, label, ...(hint && { hint }) }));
  const choice = await chosen<Choice | symbol>(select({ message, options, signal }), signal);
  if (choice === null || choice === 'later') return 'later';
  if (choice === 'once') return { decision: 'approved' };
  if (choice === 'run') return { decision: 'approved', grant: 'run' };
  if (choice === 'rule') return { decision: 'approved', grant: 'rule', ruleScope: 'space' };
  const reason = await askReason(signal);
  if (reason === null) return 'later';
  return { decision: choice === 'changes' ? 'changesRequested' : 'refused', reason };
}
