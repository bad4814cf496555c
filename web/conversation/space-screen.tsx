import { Suspense, useState } from 'react';
import { useFocus } from '../inbox/focus.ts';
import { lazyPart } from '../shell/lazy-part.ts';
import { PartBoundary } from '../shell/part-boundary.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useSpace } from './composing.tsx';
import css from './conversation.module.css';
import { ConversationPane } from './conversation-pane.tsx';
import { usePlace } from './place.ts';
import { SpaceHeader } from './space-header.tsx';
import { useThreads } from './threads/thread-data.ts';

const ThreadPane = lazyPart('thread-pane', () => import('./threads/thread-pane.tsx'));
const RunsPanel = lazyPart('runs-panel', () => import('./runs/runs-panel.tsx'));

/** A space: its conversation, and beside it a thread or the runs. */
export default function SpaceScreen({ ws, spaceId }: { ws: string; spaceId: string }) {
  const space = useSpace(ws, spaceId);
  const [place, go] = usePlace();
  /** The thread that has begun on this screen. */
  const [begun, setBegun] = useState<string | null>(null);
  useFocus(ws, `space:${spaceId}`);
  const threads = useThreads(ws, spaceId);
  if (space.error && !space.data) return <Failed error={space.error} onRetry={() => void space.refetch()} />;
  if (!space.data) return <Loading />;
  const { mainConversationId } = space.data;
  const hasThread = place.thread !== null || place.reply !== null;
  const hasSide = hasThread || place.areRunsOpen;
  const thread = threads.all.find(({ id }) => id === place.thread);
  return (
    <div className={css.screen} data-side={hasSide || undefined}>
      <SpaceHeader
        ws={ws}
        space={space.data}
        threads={threads.all}
        areRunsOpen={place.areRunsOpen}
        onThread={(id) => go({ thread: id, reply: null, message: null, areRunsOpen: false })}
        onRuns={() => go({ areRunsOpen: !place.areRunsOpen, thread: null, reply: null })}
      />
      <div className={css.main}>
        <ConversationPane
          ws={ws}
          spaceId={spaceId}
          conversationId={mainConversationId}
          targetId={hasThread ? null : place.message}
          threads={threads.byParent}
          looks={[space, threads.look]}
          onReply={(message, grown) =>
            go({
              ...{ thread: grown?.id ?? null, reply: grown === null ? message.id : null },
              ...{ message: null, areRunsOpen: false },
            })
          }
        />
      </div>
      <PartBoundary place={location.search}>
        <Suspense fallback={<aside className={css.side} />}>
          {hasThread ? (
            <ThreadPane
              key={place.thread ?? place.reply}
              ws={ws}
              spaceId={spaceId}
              threadId={place.thread}
              title={thread?.title ?? null}
              parentId={place.reply ?? thread?.parentMessageId ?? null}
              targetId={place.message}
              takesFocus={place.thread !== null && place.thread === begun}
              onBegun={(id) => {
                setBegun(id);
                go({ thread: id, reply: null });
              }}
              onClose={() => go({ thread: null, reply: null, message: null })}
            />
          ) : place.areRunsOpen ? (
            <RunsPanel
              ws={ws}
              conversationId={mainConversationId}
              sinceMs={space.data.createdAt}
              onClose={() => go({ areRunsOpen: false })}
            />
          ) : null}
        </Suspense>
      </PartBoundary>
    </div>
  );
}
