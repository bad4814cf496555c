import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import type { TreeNode } from '../../services/runs/runs/tree-node.ts';
import type { ShownConversation } from '../../services/spaces/conversations/schema.ts';
import type { Message } from '../../services/spaces/messages/schema.ts';
import { FailedLooks, type Look } from '../agents/failed-looks.tsx';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { notify } from '../ui/notices.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { Announcer } from './announcer.tsx';
import { LooseApproval } from './cards/loose-approval.tsx';
import { Composing } from './composing.tsx';
import css from './conversation.module.css';
import type { LogState } from './log/log-state.ts';
import type { MessageLog } from './log/message-log.ts';
import { useMessageLog } from './log/open-logs.ts';
import { useOutbox } from './log/outbox.ts';
import { unshown } from './log/outbox-state.ts';
import { MessageRow } from './message/message-row.tsx';
import { OutgoingRow } from './message/outgoing-row.tsx';
import { useNames } from './names.ts';
import { RunBar } from './runs/run-bar.tsx';
import { RunBlock } from './runs/run-block.tsx';
import { useRunTrees } from './runs/run-data.ts';
import { conversationText } from './text.ts';
import { MessageList } from './timeline/message-list.tsx';
import { BeginningRow, DayRow } from './timeline/rows.tsx';
import { type TimelineItem, timelineOf } from './timeline/timeline.ts';

export interface ConversationPaneProps {
  ws: string;
  spaceId: string;
  conversationId: string;
  /** A message to show, of which nothing is known but its id. */
  targetId?: string | null;
  /** Threads by the message that they grew from; without it no thread can be opened from here. */
  threads?: ReadonlyMap<string, ShownConversation>;
  onReply?: (message: Message, thread: ShownConversation | null) => void;
  /** What else is looked up for the place, whose failure is told here. */
  looks?: readonly Look[];
}

/** A conversation: what was said, who is at work, and the place to write. Fills the height that it is given. */
export function ConversationPane(props: ConversationPaneProps) {
  return <Pane key={props.conversationId} {...props} />;
}

function Pane(props: ConversationPaneProps) {
  const { ws, spaceId, conversationId, targetId = null, threads, onReply, looks = NO_LOOKS } = props;
  const t = useText(conversationText);
  const { log, state } = useMessageLog(ws, conversationId);
  const { messages, olderBefore, isLoaded, isLoadingOlder, error } = state;
  const since = isLoaded ? (messages[0]?.createdAt ?? 0) : null;
  const { runs, looks: runLooks } = useRunTrees(ws, conversationId, since);
  const items = useItems(ws, conversationId, { messages, runs, hasOlder: olderBefore !== null });
  const rowOf = useRow({ ws, spaceId, conversationId, runs, messages, threads, onReply, targetId });
  useEffect(() => {
    if (!isLoaded || targetId === null) return;
    void log.reach(targetId).then((isHere) => isHere || notify(t.notFound));
  }, [log, isLoaded, targetId, t]);
  const loadOlder = useCallback(() => void log.loadOlder(), [log]);
  const isEmpty = isLoaded && items.length === 1;
  return (
    <section className={css.pane} aria-label={t.conversation}>
      {!isLoaded ? (
        <div className={css.fill}>
          {error ? <Failed error={error} onRetry={() => void log.load()} /> : <Loading />}
        </div>
      ) : isEmpty ? (
        <div className={css.fill}>
          <Empty title={t.emptyTitle}>
            <p>{t.emptyHow}</p>
          </Empty>
        </div>
      ) : (
        <MessageList
          items={items}
          targetId={targetId !== null && messages.some(({ id }) => id === targetId) ? targetId : null}
          onNearBeginning={error === null ? loadOlder : nothing}
          row={(item, isCurrent) =>
            item.kind === 'beginning' ? (
              <BeginningRow
                isThread={threads === undefined}
                hasOlder={olderBefore !== null}
                isLoading={isLoadingOlder}
                onLoad={loadOlder}
              />
            ) : (
              rowOf(item, isCurrent)
            )
          }
        />
      )}
      <Announcer ws={ws} messages={messages} />
      <div className={css.foot}>
        <FailedLooks looks={[...logLooks(log, state), ...runLooks, ...looks]} />
        <RunBar ws={ws} runs={runs} />
        <Composing ws={ws} spaceId={spaceId} conversationId={conversationId} />
      </div>
    </section>
  );
}
const nothing = () => undefined;
const NO_LOOKS: readonly Look[] = [];

/** Older messages and newer ones, once the first are here. */
function logLooks(log: MessageLog, { isLoaded, isLoadingOlder, error, newerError }: LogState): Look[] {
  if (!isLoaded) return [];
  return [
    { data: undefined, error, isFetching: isLoadingOlder, refetch: () => log.loadOlder() },
    { data: true, error: newerError, isFetching: false, refetch: async () => log.catchUp() },
  ];
}

interface Known {
  messages: readonly Message[];
  runs: readonly TreeNode[];
  hasOlder: boolean;
}

function useItems(ws: string, conversationId: string, { messages, runs, hasOlder }: Known): TimelineItem[] {
  const me = useMe().actor;
  const outbox = useOutbox((all) => all.items);
  const approvals = useLooseApprovals(ws, conversationId, messages);
  return useMemo(() => {
    const mine = outbox.filter((item) => item.conversationId === conversationId);
    const outgoing = mine.length === 0 ? mine : unshown(mine, messages, me);
    return timelineOf({ messages, runs, outgoing, approvals, hasOlder });
  }, [messages, runs, outbox, approvals, hasOlder, conversationId, me]);
}

/** What waits for a word here and has no message that shows it. */
function useLooseApprovals(
  ws: string,
  conversationId: string,
  messages: readonly Message[],
): readonly string[] {
  const inbox = useQuery({
    queryKey: keys.inbox(ws),
    queryFn: () =>
      ask(spaces.api.workspaces[':workspaceId'].inbox.$get({ param: { workspaceId: ws }, query: {} })),
  }).data?.items;
  return useMemo(() => {
    const here = (inbox ?? []).filter(
      (item) => item.conversationId === conversationId && item.kind !== 'orchestration',
    );
    if (here.length === 0) return NONE;
    const shown = new Set(messages.map(({ data }) => data.approvalId));
    return here.filter(({ id }) => !shown.has(id)).map(({ id }) => id);
  }, [inbox, conversationId, messages]);
}
const NONE: readonly string[] = [];

interface RowSources extends Pick<ConversationPaneProps, 'ws' | 'spaceId' | 'conversationId'> {
  threads: ConversationPaneProps['threads'] | undefined;
  onReply: ConversationPaneProps['onReply'] | undefined;
  runs: readonly TreeNode[];
  messages: readonly Message[];
  targetId: string | null;
}

function useRow({ ws, spaceId, conversationId, messages, threads, onReply, targetId }: RowSources) {
  const me = useMe().actor;
  const nameOf = useNames(ws);
  const saidBy = useMemo(() => wordsByRun(messages), [messages]);
  return (item: Exclude<TimelineItem, { kind: 'beginning' }>, isCurrent: boolean) => {
    switch (item.kind) {
      case 'day':
        return <DayRow at={item.at} />;
      case 'run':
        return <RunBlock ws={ws} node={item.node} said={saidBy.get(item.node.id) ?? NO_WORDS} />;
      case 'approval':
        return <LooseApproval ws={ws} approvalId={item.approvalId} />;
      case 'outgoing':
        return <OutgoingRow outgoing={item.outgoing} author={nameOf(me)} />;
      case 'message': {
        const { message, isContinued, work } = item;
        const thread = threads?.get(message.id) ?? null;
        return (
          <MessageRow
            ws={ws}
            message={message}
            author={nameOf(message.author)}
            isMine={message.author === me}
            isContinued={isContinued}
            isCurrent={isCurrent}
            isTarget={message.id === targetId}
            work={work}
            thread={thread}
            link={linkTo(ws, spaceId, conversationId, message.id, threads === undefined)}
            onReply={onReply ?? null}
          />
        );
      }
    }
  };
}
const NO_WORDS: ReadonlySet<string> = new Set();

/** What each run has said in messages. */
function wordsByRun(messages: readonly Message[]): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>();
  for (const { kind, body, data } of messages) {
    if (kind !== 'text' || typeof data.runId !== 'string') continue;
    words.set(data.runId, (words.get(data.runId) ?? new Set()).add(body.trim()));
  }
  return words;
}

function linkTo(
  ws: string,
  spaceId: string,
  conversationId: string,
  messageId: string,
  isThread: boolean,
): string {
  const search = new URLSearchParams(isThread ? { thread: conversationId, m: messageId } : { m: messageId });
  return `${location.origin}/w/${ws}/spaces/${spaceId}?${search}`;
}
