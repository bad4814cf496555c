import type { WaitingItem } from '../job/waiting.ts';
import type { MainJobResult } from '../main-job.ts';
import { plainLine } from '../plain-text.ts';
import { plural } from './amounts.ts';

const WHAT: Record<WaitingItem['kind'], string> = {
  question: 'A question',
  action: 'An action',
  plan_exit: 'Leaving plan mode',
  skill_override: 'A skill',
  proposal: 'The proposal',
  revision: 'Changes of the proposal were asked for, and no agent is at work on them',
  deferred: 'What was deferred',
  run: 'A run',
  step: 'A step',
};

/** What a job leaves to people, and the commands with which they go on; empty when it leaves nothing. */
export function closingText(result: MainJobResult, inProcess: boolean): string {
  const sections = [];
  if (result.end === 'waiting') sections.push(waitingText(result, inProcess));
  if (result.unattended.length > 0) sections.push(unattendedText(result));
  return sections.join('\n');
}

function waitingText({ waitsFor, orchestrationId, lastRun }: MainJobResult, inProcess: boolean): string {
  const items = waitsFor.flatMap(({ kind, subject, commands }) => [
    `  ${WHAT[kind]}: ${plainLine(subject, 300)}`,
    ...commands.map((command) => `    ${command}`),
  ]);
  const after = orchestrationId === null ? `cctl runs show ${lastRun?.id}` : `cctl follow ${orchestrationId}`;
  const first = inProcess ? ['The server ran inside this command; start one first with `cctl serve`.'] : [];
  return [
    'This waits for a person to decide, and goes no further until one has:',
    ...items,
    ...first,
    `Then see what came of it with\n  ${after}`,
  ].join('\n');
}

/** The command that wakes the agent of a space for what was allowed since. */
export function tryAgainCommand(spaceId: string): string {
  return `cctl ask --space ${spaceId} "Try again"`;
}

function unattendedText({ unattended, spaceId, conversationId }: MainJobResult): string {
  const items = unattended.map(
    ({ id, subject }) => `  ${plainLine(subject, 200)}\n    cctl decide ${id} approve`,
  );
  const what = `${plural(unattended.length, 'action')} refused because nobody was there to ask`;
  const isOwn = unattended.some((approval) => approval.conversationId === conversationId);
  const again = isOwn ? [`Then have it try again with\n  ${tryAgainCommand(spaceId)}`] : [];
  return [`${what}; allowed now, the agent may make the same call again:`, ...items, ...again].join('\n');
}
