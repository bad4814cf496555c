import type { Approval } from '../client/client.ts';
import type { InboxItem } from '../inbox.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { table } from './table.ts';

const KINDS: Record<Approval['kind'], string> = {
  plan_exit: 'leave plan mode',
  action: 'action',
  orchestration: 'proposal',
  question: 'question',
  skill_override: 'skill',
};

/** What waits for a person, newest first: a line each, and under an action what it would do. */
export function inboxTable(items: readonly InboxItem[]): string {
  const rows = items.map(({ approval, workspace }) => [
    approval.id,
    kindText(approval),
    plainLine(workspace, 20),
    ageText(approval.ageMs),
    plainLine(approval.agentName ?? approval.requester, 24),
    plainLine(approval.spaceName ?? '', 30),
    plainLine(approval.subject, 80),
  ]);
  const titles = ['ID', 'KIND', 'WORKSPACE', 'AGE', 'AGENT', 'SPACE', 'SUBJECT'];
  const [heading = '', ...lines] = table(
    titles.map((title) => ({ title })),
    rows,
    'Nothing waits for you.',
  ).split('\n');
  const detailed = lines.flatMap((line, i) => [line, ...detailLines(items[i])]);
  return [heading, ...detailed].join('\n');
}

function detailLines(item: InboxItem | undefined): string[] {
  const asked = item === undefined ? '' : askedText(item.approval);
  return asked === '' ? [] : [`    ${asked}`];
}

/** A change of the inbox as one line. */
export function inboxLine({ approval, workspace }: InboxItem): string {
  const asked = askedText(approval);
  const who = plainLine(approval.agentName ?? approval.requester, 24);
  const where = plainLine([workspace, ...(approval.spaceName ? [approval.spaceName] : [])].join(' / '), 60);
  const line = `${approval.id}  ${kindText(approval)}  ${who} in ${where}: ${plainLine(approval.subject, 120)}`;
  return asked === '' ? line : `${line}\n    ${asked}`;
}

function kindText({ kind, status }: Pick<Approval, 'kind' | 'status'>): string {
  return status === 'unattended' ? `${KINDS[kind]}, refused: nobody was there` : KINDS[kind];
}

/** A command is decided by all of it; what is longer than this is in the inbox as JSON. */
const COMMAND_COLUMNS = 2_000;
const INPUT_COLUMNS = 120;

/**
 * What would be done: of an action the tool, its input (a command whole) and the effects that need a word, of leaving plan
 * mode what the agent means to do then; empty for other kinds.
 */
export function askedText({ kind, arguments: args }: Approval): string {
  const { tool, input, asked, classes, summary } = args;
  if (kind === 'plan_exit' && typeof summary === 'string') return plainLine(summary, COMMAND_COLUMNS);
  if (kind !== 'action' || typeof tool !== 'string') return '';
  const effects = [asked, classes].find((names) => Array.isArray(names) && names.length > 0);
  const call = `${plainLine(tool, 60)} ${inputText(input)}`;
  return Array.isArray(effects) ? `${call} [${plainLine(effects.join(', '), 300)}]` : call;
}

function inputText(input: unknown): string {
  const isCommand = typeof input === 'object' && input !== null && 'command' in input;
  const command = isCommand ? (input as { command: unknown }).command : null;
  if (typeof command !== 'string') return wholeOr(JSON.stringify(input) ?? '', INPUT_COLUMNS);
  // Two commands on two lines must not read as one with more arguments.
  return wholeOr(command.trim().replaceAll(/\r?\n/g, ' ⏎ '), COMMAND_COLUMNS);
}

function wholeOr(text: string, columns: number): string {
  const line = plainLine(text, columns);
  return line.endsWith('…') && !text.endsWith('…') ? `${line} (the rest: cctl inbox --json)` : line;
}

/** One request in full, as a person must see it before deciding. */
export function approvalText(approval: Approval): string {
  if (approval.kind === 'question') return plainText(questionOf(approval));
  const lines = [`${KINDS[approval.kind]}: ${plainText(approval.subject)}`];
  if (Object.keys(approval.arguments).length > 0) {
    lines.push(plainText(JSON.stringify(approval.arguments, null, 2)));
  }
  return lines.join('\n');
}

/** The whole question; the subject may be its beginning only. */
function questionOf({ arguments: { question }, subject }: Approval): string {
  return typeof question === 'string' ? question : subject;
}

/** The answers that a question suggests, if any. */
export function suggestedAnswers({ kind, arguments: { choices, options } }: Approval): string[] {
  const suggested = kind === 'question' ? (choices ?? options) : null;
  return Array.isArray(suggested) ? suggested.filter((one) => typeof one === 'string') : [];
}

export function ageText(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
