import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ShownConversation } from '../../../services/spaces/conversations/schema.ts';
import type { Look } from '../../agents/failed-looks.tsx';
import { ask, spaces } from '../../api/client.ts';
import { keys, queryClient } from '../../api/queries.ts';
import { onWorkspaceEvent } from '../../live/workspace-feed.ts';

const at = spaces.api.workspaces[':workspaceId'].spaces[':id'].conversations;
const TITLE_CHARS = 80;
const TOGETHER_MS = 200;

export interface Threads {
  /** The latest first. */
  all: readonly ShownConversation[];
  /** By the message that each grew from; those of steps grew from none. */
  byParent: ReadonlyMap<string, ShownConversation>;
  /** What they are known from. */
  look: Look;
}

/** The threads of a space, with their counts kept up. */
export function useThreads(ws: string, spaceId: string): Threads {
  const look = useQuery({
    queryKey: keys.conversations(ws, spaceId),
    queryFn: () => ask(at.$get({ param: { workspaceId: ws, id: spaceId }, query: { limit: '1000' } })),
  });
  const list = look.data?.items;
  useCounts(ws, spaceId, list);
  const threads = useMemo(() => {
    const all = (list ?? []).filter(({ kind }) => kind === 'thread').toReversed();
    const grown = all.flatMap((thread) =>
      thread.parentMessageId === null ? [] : [[thread.parentMessageId, thread] as const],
    );
    return { all, byParent: new Map(grown) };
  }, [list]);
  return { ...threads, look };
}

/** Counts change with each message of a thread, which is no change of the conversation itself. */
function useCounts(ws: string, spaceId: string, list: readonly ShownConversation[] | undefined): void {
  useEffect(() => {
    const threads = new Set(list?.filter(({ kind }) => kind === 'thread').map(({ id }) => id));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onWorkspaceEvent(({ type, data }) => {
      if (type !== 'message.posted' || !threads.has(String(data.conversationId))) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries({ queryKey: keys.conversations(ws, spaceId) });
      }, TOGETHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [ws, spaceId, list]);
}

/** The thread of a message: two who begin it at once begin the same one. @throws ApiProblem */
export async function beginThread(
  workspaceId: string,
  spaceId: string,
  parent: { id: string; body: string },
): Promise<string> {
  const title = parent.body
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/[*_`#]/g, '')
    .trim()
    .slice(0, TITLE_CHARS);
  const json = { title: title || '…', parentMessageId: parent.id, key: `thread/${parent.id}` };
  const { id } = await ask(at.$post({ param: { workspaceId, id: spaceId }, json }));
  await queryClient.invalidateQueries({ queryKey: keys.conversations(workspaceId, spaceId) });
  return id;
}
