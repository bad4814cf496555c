import type { Approval } from '../../services/spaces/approvals/schema.ts';
import type { StatusWord } from '../ui/status-words.ts';
import type { inboxText } from './text.ts';

/** What became of an approval, in few words. @param by who decided; null for the person who reads this */
export function outcomeWords(
  { kind, status, decision }: Approval,
  by: string | null,
  t: (typeof inboxText)['en'],
): { status: StatusWord; label: string } {
  if (status === 'superseded') return { status: 'cancelled', label: t.superseded };
  const isYes = status === 'approved';
  const verb = isYes
    ? kind === 'question'
      ? 'answered'
      : 'approved'
    : decision?.changesRequested
      ? 'changes'
      : 'refused';
  return { status: isYes ? 'done' : 'cancelled', label: by === null ? t.mine[verb] : t.others[verb](by) };
}
