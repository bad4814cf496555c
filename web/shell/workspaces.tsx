import { useQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { ask, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';
import { Failed, Loading } from '../ui/states.tsx';

const STORED = 'control-center.workspace';

export const rememberedWorkspace = (): string | null => localStorage.getItem(STORED);
export const rememberWorkspace = (ws: string): void => localStorage.setItem(STORED, ws);

/** Opens the workspace that was open last, or the first. */
export function Workspaces() {
  const list = useQuery({
    queryKey: keys.workspaces(),
    queryFn: () => ask(spaces.api.workspaces.$get({ query: {} })),
  });
  if (list.error) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <Loading />;
  const remembered = list.data.items.find(({ id }) => id === rememberedWorkspace());
  const open = remembered ?? list.data.items[0];
  return open ? <Redirect to={`/w/${open.id}/inbox`} replace /> : null;
}
