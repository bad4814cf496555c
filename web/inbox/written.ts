import type { Approval } from '../../services/spaces/approvals/schema.ts';
import { dropDraft } from '../composer/drafts.ts';

type Asked = Pick<Approval, 'id' | 'kind' | 'arguments'>;

/** Where a reason is kept until it is sent: for all revisions of a proposal the same, so that a new one finds it. */
export const reasonKey = ({ id, kind, arguments: asked }: Asked): string =>
  `reason/${kind === 'orchestration' ? String(asked.orchestrationId) : id}`;
/** The same for an answer in one's own words. */
export const answerKey = ({ id }: Pick<Approval, 'id'>): string => `answer/${id}`;
/** And for a sum. */
export const sumKey = ({ id }: Pick<Approval, 'id'>): string => `sum/${id}`;

export function dropWritten(approval: Asked): void {
  for (const key of [reasonKey(approval), answerKey(approval), sumKey(approval)]) dropDraft(key);
}
