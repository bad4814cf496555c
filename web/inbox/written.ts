import { dropDraft } from '../composer/drafts.ts';

/** Where a reason for an item is kept until it is sent. */
export const reasonKey = (id: string): string => `reason/${id}`;
/** The same for an answer in one's own words. */
export const answerKey = (id: string): string => `answer/${id}`;

export function dropWritten(id: string): void {
  for (const key of [reasonKey(id), answerKey(id)]) dropDraft(key);
}
