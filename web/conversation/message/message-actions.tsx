import { Link2, MessageSquareReply, Pencil } from 'lucide-react';
import type { Message } from '../../../services/spaces/messages/schema.ts';
import { useText } from '../../i18n/text.ts';
import { IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { notify, notifyFailure } from '../../ui/notices.tsx';
import { conversationText } from '../text.ts';
import { beginEdit } from './editing.ts';
import css from './message.module.css';

interface MessageActionsProps {
  message: Message;
  who: string;
  isMine: boolean;
  /** Where a link to it leads, with the origin. */
  link: string;
  /** Null where a thread cannot grow: in a thread. */
  onReply: (() => void) | null;
}

/** What can be done with a message: shown while it is pointed at or has the focus. */
export function MessageActions({ message, who, isMine, link, onReply }: MessageActionsProps) {
  const t = useText(conversationText);
  const copyLink = () => navigator.clipboard.writeText(link).then(() => notify(t.linkCopied), notifyFailure);
  return (
    <div className={css.actions} role="toolbar" aria-label={t.actionsOf(who)}>
      {onReply ? (
        <IconButton label={t.reply} icon={<MessageSquareReply size={15} aria-hidden />} onClick={onReply} />
      ) : null}
      {isMine && message.kind === 'text' ? (
        <IconButton
          label={t.edit}
          icon={<Pencil size={15} aria-hidden />}
          onClick={() => beginEdit(message.id, { body: message.body, version: message.version })}
        />
      ) : null}
      <CopyButton isIcon label={t.copyMarkdown} text={() => message.body} />
      <IconButton label={t.copyLink} icon={<Link2 size={15} aria-hidden />} onClick={copyLink} />
    </div>
  );
}
