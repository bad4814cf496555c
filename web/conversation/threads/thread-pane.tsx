import { useMutation, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ask, spaces } from '../../api/client.ts';
import { dropDraft, useDraft } from '../../composer/drafts.ts';
import { useSendKey } from '../../composer/send-setting.ts';
import { clockTime } from '../../i18n/format.ts';
import { useText } from '../../i18n/text.ts';
import { useMe } from '../../shell/use-me.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FaultText } from '../../ui/fault-text.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import css from '../conversation.module.css';
import { ConversationPane } from '../conversation-pane.tsx';
import { say } from '../log/outbox.ts';
import { Markdown } from '../markdown.tsx';
import { useNames } from '../names.ts';
import { conversationText } from '../text.ts';
import { useGivenBackFocus } from '../use-given-back-focus.ts';
import { beginThread } from './thread-data.ts';

interface ThreadPaneProps {
  ws: string;
  spaceId: string;
  /** Null while the thread has not begun. */
  threadId: string | null;
  title: string | null;
  parentId: string | null;
  targetId: string | null;
  /** It has just begun: the person goes on writing. */
  takesFocus: boolean;
  onBegun(threadId: string): void;
  onClose(): void;
}

/** A thread beside its conversation, below the message that it grew from. */
export default function ThreadPane(props: ThreadPaneProps) {
  const { ws, spaceId, threadId, title, parentId, targetId, takesFocus, onBegun, onClose } = props;
  const t = useText(conversationText);
  const pane = useGivenBackFocus();
  useEffect(() => {
    if (takesFocus) pane.current?.querySelector('textarea')?.focus();
  }, [pane, takesFocus]);
  return (
    <aside ref={pane} className={css.side} aria-label={t.thread}>
      <header className={css.sideHead}>
        <h2>{threadId === null ? t.startThread : parentId === null ? (title ?? t.thread) : t.thread}</h2>
        <IconButton label={t.closeThread} icon={<X size={16} aria-hidden />} onClick={onClose} />
      </header>
      {parentId === null ? null : <ParentMessage ws={ws} id={parentId} />}
      {threadId === null ? (
        parentId === null ? null : (
          <FirstReply ws={ws} spaceId={spaceId} parentId={parentId} onBegun={onBegun} />
        )
      ) : (
        <ConversationPane ws={ws} spaceId={spaceId} conversationId={threadId} targetId={targetId} />
      )}
    </aside>
  );
}

function useMessage(ws: string, id: string) {
  return useQuery({
    queryKey: ['message', ws, id],
    queryFn: () =>
      ask(spaces.api.workspaces[':workspaceId'].messages[':id'].$get({ param: { workspaceId: ws, id } })),
    staleTime: 0,
  });
}

function ParentMessage({ ws, id }: { ws: string; id: string }) {
  const t = useText(conversationText);
  const nameOf = useNames(ws);
  const message = useMessage(ws, id);
  if (message.error && !message.data)
    return <Failed error={message.error} onRetry={() => void message.refetch()} />;
  if (!message.data) return <Loading />;
  const { author, body, createdAt } = message.data;
  return (
    <blockquote className={css.parent} aria-label={t.parent}>
      <p className={css.parentHead}>
        <strong>{nameOf(author).name}</strong> <span>{clockTime(createdAt)}</span>
      </p>
      <Markdown text={body} />
    </blockquote>
  );
}

/** A thread begins with its first reply, so that none stays empty. */
function FirstReply({
  ws,
  spaceId,
  parentId,
  onBegun,
}: {
  ws: string;
  spaceId: string;
  parentId: string;
  onBegun(id: string): void;
}) {
  const t = useText(conversationText);
  const parent = useMessage(ws, parentId).data;
  const { cannotChange } = useMe();
  const key = `reply/${parentId}`;
  const [{ text: body }, change] = useDraft(key);
  const sends = useSendKey();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const begin = useMutation({
    mutationFn: async (text: string) => {
      const conversationId = await beginThread(ws, spaceId, { id: parentId, body: parent?.body ?? '' });
      void say({ ws, conversationId, body: text });
      dropDraft(key);
      return conversationId;
    },
    onSuccess: onBegun,
  });
  const submit = () => {
    if (body.trim() !== '' && cannotChange === null && !begin.isPending) begin.mutate(body.trim());
  };
  return (
    <div className={css.first}>
      <textarea
        ref={field}
        rows={3}
        aria-label={t.firstReply}
        placeholder={t.writeReply}
        value={body}
        readOnly={begin.isPending}
        onChange={({ target }) => change({ text: target.value })}
        onKeyDown={(event) => {
          if (!sends(event)) return;
          event.preventDefault();
          submit();
        }}
      />
      {begin.error ? (
        <p role="alert">
          <FaultText error={begin.error} />
        </p>
      ) : null}
      <Button kind="primary" disabledReason={cannotChange} isPending={begin.isPending} onClick={submit}>
        {t.send}
      </Button>
    </div>
  );
}
