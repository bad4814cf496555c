import type { Message } from '../../../services/spaces/messages/schema.ts';
import { Markdown } from '../markdown.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { DeliverableCard, NoticeLine, PositionCard, ReviewCard } from './made-cards.tsx';
import { ProposalCard } from './proposal-card.tsx';

/** What a message holds, by its kind. */
export function MessageContent({ ws, message }: { ws: string; message: Message }) {
  const { kind, body, data } = message;
  switch (kind) {
    case 'plan':
    case 'proposal':
      return <ProposalCard ws={ws} message={message} />;
    case 'question':
    case 'approval':
      return typeof data.approvalId === 'string' ? (
        <ApprovalCard ws={ws} approvalId={data.approvalId} />
      ) : (
        <Markdown text={body} />
      );
    case 'deliverable':
      return <DeliverableCard ws={ws} message={message} />;
    case 'position':
      return <PositionCard ws={ws} message={message} />;
    case 'notice':
      return <NoticeLine message={message} />;
    case 'review':
      return <ReviewCard ws={ws} message={message} />;
    case 'text':
      return body.trim() === '' ? null : <Markdown text={body} />;
  }
}
