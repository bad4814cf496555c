import type { Message } from '../messages/schema.ts';
import type { Space } from '../spaces/schema.ts';
import type { Judgement } from './judge.ts';
import { findingsText, verdictText } from './review-text.ts';
import type { Review } from './schema.ts';
import type { Finalized } from './verdict-store.ts';

/** Room in a message for the findings in full; all of them are in the review. */
const SHOWN_CHARACTERS = 100_000;

const SAID = {
  pending: 'It goes to the pull request by a rule',
  asked: 'Whether it goes to the pull request is for a person to decide',
  denied: 'It does not go to the pull request',
} as const;

/** What tells of a verdict in its space: the findings as text, and a card. */
export function verdictMessage(
  { id: reviewId, repository, number, url }: Review,
  space: Space,
  { verdict, publication, judgement }: Pick<Finalized, 'verdict' | 'publication'> & { judgement: Judgement },
): Message {
  const { state, reason } = publication;
  const findings = judgement.findings.map((row) => ({ row, place: row.place }));
  const parts = [
    `Review of [${repository}#${number}](${url}).`,
    verdictText(verdict),
    findingsText(findings, SHOWN_CHARACTERS),
    `${SAID[state as keyof typeof SAID]}: ${reason}`,
  ];
  return {
    id: verdict.messageId,
    conversationId: space.mainConversationId,
    author: verdict.finalizedBy,
    kind: 'review',
    body: parts.filter((part) => part !== '').join('\n\n'),
    data: {
      ...{ reviewId, verdictId: verdict.id, repository, number, url, headSha: verdict.headSha },
      ...{
        verdict: verdict.verdict,
        base: verdict.base,
        confidence: verdict.confidence,
        dropped: verdict.dropped,
      },
      axes: verdict.axes.map(({ axis, result, gated }) => ({ axis, result, gated })),
      findings: judgement.findings.map(({ id, type, priority, confidence, place, status }) => ({
        ...{ id, type, priority: `P${priority}`, confidence, place, status },
      })),
    },
    ...{ mentions: [], attachments: [] },
    ...{ createdAt: verdict.createdAt, updatedAt: verdict.createdAt, version: 1 },
  };
}
