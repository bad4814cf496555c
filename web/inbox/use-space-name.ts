import { useQuery } from '@tanstack/react-query';
import { spacesQuery } from '../shell/shell-queries.ts';

export function useSpaceName(ws: string, spaceId: string | null): string | null {
  const items = useQuery(spacesQuery(ws)).data?.items;
  return items?.find(({ id }) => id === spaceId)?.name ?? null;
}

/** The address of a conversation: its space's screen, with the thread open where it is one. Null where it has none. */
export function usePlaceOf(
  ws: string,
): (spaceId: string | null, conversationId: string | null) => string | null {
  const items = useQuery(spacesQuery(ws)).data?.items;
  return (spaceId, conversationId) => {
    if (spaceId === null) return null;
    const space = items?.find(({ id }) => id === spaceId);
    const isThread = space && conversationId !== null && conversationId !== space.mainConversationId;
    return isThread ? `/spaces/${spaceId}?thread=${conversationId}` : `/spaces/${spaceId}`;
  };
}
