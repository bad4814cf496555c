import { queryOptions } from '@tanstack/react-query';
import { ask, orchestration, runs, spaces } from '../api/client.ts';
import { keys } from '../api/queries.ts';

const MOST = { limit: '1000' };

/** Who is signed in. */
export const meQuery = () => queryOptions({ queryKey: keys.me(), queryFn: () => ask(spaces.api.me.$get()) });

export const workspacesQuery = () =>
  queryOptions({
    queryKey: keys.workspaces(),
    queryFn: () => ask(spaces.api.workspaces.$get({ query: MOST })),
  });

export const membersQuery = () =>
  queryOptions({ queryKey: keys.members(), queryFn: () => ask(spaces.api.members.$get()) });

const workspace = spaces.api.workspaces[':workspaceId'];

export const inboxQuery = (ws: string) =>
  queryOptions({
    queryKey: keys.inbox(ws),
    queryFn: () => ask(workspace.inbox.$get({ param: { workspaceId: ws }, query: {} })),
  });

export const spacesQuery = (ws: string) =>
  queryOptions({
    queryKey: keys.spaces(ws),
    queryFn: () => ask(workspace.spaces.$get({ param: { workspaceId: ws }, query: MOST })),
  });

export const agentsQuery = (ws: string) =>
  queryOptions({
    queryKey: keys.agents(ws),
    queryFn: () => ask(workspace.agents.$get({ param: { workspaceId: ws }, query: MOST })),
  });

export const conversationsQuery = (ws: string, spaceId: string) =>
  queryOptions({
    queryKey: keys.conversations(ws, spaceId),
    queryFn: () =>
      ask(
        workspace.spaces[':id'].conversations.$get({ param: { workspaceId: ws, id: spaceId }, query: MOST }),
      ),
  });

export const plansQuery = (ws: string) =>
  queryOptions({
    queryKey: keys.orchestrations(ws),
    queryFn: () =>
      ask(
        orchestration.api.workspaces[':workspaceId'].orchestrations.$get({
          param: { workspaceId: ws },
          query: {},
        }),
      ),
  });

export const runQuery = (ws: string, id: string) =>
  queryOptions({
    queryKey: keys.run(ws, id),
    queryFn: () =>
      ask(runs.api.workspaces[':workspaceId'].runs[':id'].$get({ param: { workspaceId: ws, id } })),
  });

export const honestyQuery = (ws: string) =>
  queryOptions({
    queryKey: keys.honesty(ws),
    queryFn: () => ask(runs.api.workspaces[':workspaceId'].honesty.$get({ param: { workspaceId: ws } })),
  });
