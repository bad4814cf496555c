import { useQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { Failed, Loading } from '../ui/states.tsx';
import { lazyPart } from './lazy-part.ts';
import { workspacesQuery } from './shell-queries.ts';
import { rememberedWorkspace } from './workspace-memory.ts';

const Onboarding = lazyPart('onboarding', () => import('./onboarding.tsx'));

/** Opens the workspace that was open last, or the first; where there is none, the way to make one. */
export function Workspaces() {
  const list = useQuery({ ...workspacesQuery(), refetchOnMount: 'always' });
  // What a workspace was opened from may be older than the workspace.
  if (list.isFetching) return <Loading />;
  if (!list.data) return <Failed error={list.error} onRetry={() => void list.refetch()} />;
  const remembered = list.data.items.find(({ id }) => id === rememberedWorkspace());
  const open = remembered ?? list.data.items[0];
  return open ? (
    <Redirect to={`/w/${open.id}/inbox`} replace />
  ) : (
    <Onboarding onLookAgain={() => void list.refetch()} />
  );
}
