import type { Approval } from '../client/client.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { table } from './table.ts';

const KINDS: Record<Approval['kind'], string> = {
  plan_exit: 'leave plan mode',
  action: 'action',
  orchestration: 'proposal',
  question: 'question',
  skill_override: 'skill',
};

export interface InboxItem {
  workspaceId: string;
  workspace: string;
  approval: Approval;
}

/** What waits for a person, oldest first. */
export function inboxTable(items: readonly InboxItem[], nowMs: number): string {
  const rows = items.map(({ approval, workspace }) => [
    approval.id,
    KINDS[approval.kind],
    plainLine(workspace, 20),
    ageText(nowMs - approval.createdAt),
    plainLine(approval.subject, 80),
  ]);
  const columns = ['ID', 'KIND', 'WORKSPACE', 'AGE', 'SUBJECT'].map((title) => ({ title }));
  return table(columns, rows, 'Nothing waits for you.');
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
