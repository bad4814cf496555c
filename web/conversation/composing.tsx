import { useQuery } from '@tanstack/react-query';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { Composer } from '../composer/composer.tsx';

interface ComposingProps {
  ws: string;
  spaceId: string;
  conversationId: string;
}

/** The place to write in a conversation, in the mode of its space. */
export function Composing({ ws, spaceId, conversationId }: ComposingProps) {
  const space = useSpace(ws, spaceId).data;
  return space ? (
    <Composer key={conversationId} ws={ws} space={space} conversationId={conversationId} />
  ) : null;
}

export function useSpace(ws: string, spaceId: string) {
  return useQuery({
    queryKey: keys.space(ws, spaceId),
    queryFn: () =>
      ask(
        spaces.api.workspaces[':workspaceId'].spaces[':id'].$get({ param: { workspaceId: ws, id: spaceId } }),
      ),
  });
}
