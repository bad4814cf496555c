import type { Approval, ApprovalArguments } from '../../services/spaces/approvals/schema.ts';
import { visibleText } from '../ui/visible-text.ts';

/** One line for the list: what is asked, without what its kind says already. */
export function subjectOf({
  kind,
  subject,
  arguments: asked,
}: Pick<Approval, 'kind' | 'subject' | 'arguments'>): string {
  if (kind === 'orchestration')
    return visibleText(subject.replace(/^Approve revision \d+ of the (plan|proposal): /, ''));
  if (kind === 'plan_exit') return plain((asked as unknown as ApprovalArguments['plan_exit']).summary);
  if (kind === 'action') return visibleText(subject.replace(/^run_command: /, ''));
  return plain(subject.split('\n')[0] ?? subject);
}

/** Without the marks of bold words, code and lists, which say nothing in a line that is not rendered. */
const plain = (markdown: string): string =>
  visibleText(markdown)
    .replaceAll(/\*\*|`|^#+ |^[-*] /gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
