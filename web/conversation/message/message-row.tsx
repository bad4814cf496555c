import { memo, useState } from 'react';
import type { TreeNode } from '../../../services/runs/runs/tree-node.ts';
import type { ShownConversation } from '../../../services/spaces/conversations/schema.ts';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { ago, clockTime, dateTime } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useNow } from '../../ui/use-now.ts';
import { MessageContent } from '../cards/message-card.tsx';
import type { Named } from '../names.ts';
import { RunBlock } from '../runs/run-block.tsx';
import { conversationText } from '../text.ts';
import { Attachments } from './attachments.tsx';
import { EditForm } from './edit-form.tsx';
import { useEditing } from './editing.ts';
import css from './message.module.css';
import { MessageActions } from './message-actions.tsx';

export interface MessageRowProps {
  ws: string;
  message: Message;
  author: Named;
  isMine: boolean;
  isContinued: boolean;
  /** The one in the tab order. */
  isCurrent: boolean;
  /** A link points at it. */
  isTarget: boolean;
  /** The run whose last words these are. */
  work: TreeNode | null;
  thread: ShownConversation | null;
  link: string;
  /** Null in a thread. */
  onReply: ((message: Message, thread: ShownConversation | null) => void) | null;
}

/** A message with who said it and when, and what it holds. */
export const MessageRow = memo((props: MessageRowProps) => {
  const { ws, message, author, isMine, isContinued, isCurrent, isTarget, work, thread, link, onReply } =
    props;
  const t = useText(conversationText);
  const [isPointedAt, setPointedAt] = useState(false);
  const editing = useEditing(message.id);
  const reply = onReply && (() => onReply(message, thread));
  return (
    <article
      data-row={message.id}
      className={[css.row, isContinued && css.continued, isTarget && css.target].filter(Boolean).join(' ')}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={t.messageOf(author.name, dateTime(message.createdAt))}
    >
      <div className={css.gutter}>
        {isContinued ? (
          <span className={css.sideTime} aria-hidden="true">
            {clockTime(message.createdAt)}
          </span>
        ) : (
          <Avatar name={author.name} kind={author.kind} />
        )}
      </div>
      <div className={css.content}>
        {isContinued ? null : <Heading message={message} author={author} />}
        {work ? <RunBlock ws={ws} node={work} said={new Set([message.body.trim()])} place="within" /> : null}
        {editing === null ? (
          <MessageContent ws={ws} message={message} />
        ) : (
          <EditForm ws={ws} message={message} {...editing} />
        )}
        <Attachments ws={ws} files={message.attachments} />
        {thread && reply ? <ThreadLine thread={thread} onOpen={reply} /> : null}
      </div>
      {isCurrent || isPointedAt ? (
        <MessageActions message={message} who={author.name} isMine={isMine} link={link} onReply={reply} />
      ) : null}
    </article>
  );
});

function Heading({
  message: { createdAt, updatedAt, kind, version },
  author,
}: Pick<MessageRowProps, 'message' | 'author'>) {
  const t = useText(conversationText);
  return (
    <div className={css.heading}>
      <strong>{author.name}</strong>
      {author.title ? <span className={css.title}>{author.title}</span> : null}
      <time className={css.time} dateTime={new Date(createdAt).toISOString()} title={dateTime(createdAt)}>
        {clockTime(createdAt)}
      </time>
      {kind === 'text' && version > 1 ? (
        <span className={css.time} title={dateTime(updatedAt)}>
          ({t.edited})
        </span>
      ) : null}
    </div>
  );
}

function ThreadLine({ thread, onOpen }: { thread: ShownConversation; onOpen(): void }) {
  const t = useText(conversationText);
  const now = useNow();
  const { messageCount, lastMessageAt } = thread;
  return (
    <button type="button" className={css.thread} onClick={onOpen}>
      {messageCount > 0 ? t.replies(messageCount) : t.noReplies}
      {lastMessageAt === null ? null : (
        <span className={css.time}>{t.lastReply(ago(lastMessageAt, now))}</span>
      )}
    </button>
  );
}
