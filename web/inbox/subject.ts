import type { Approval, ApprovalArguments } from '../../services/spaces/approvals/schema.ts';

/** One line for the list: what is asked, without what its kind says already. */
export function subjectOf({
  kind,
  subject,
  arguments: asked,
}: Pick<Approval, 'kind' | 'subject' | 'arguments'>): string {
  if (kind === 'orchestration') return subject.replace(/^Approve revision \d+ of the (plan|proposal): /, '');
  if (kind === 'plan_exit') return (asked as unknown as ApprovalArguments['plan_exit']).summary;
  return subject.split('\n')[0] ?? subject;
}
