import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { isSignedOut, keys, queryClient } from '../api/queries.ts';
import { Notices } from '../ui/notices.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { lazyPart } from './lazy-part.ts';
import { PartBoundary } from './part-boundary.tsx';
import { isPlaceOf } from './person-storage.ts';
import { meQuery } from './shell-queries.ts';
import './theme.ts';
import { WorkspaceApp } from './workspace-app.tsx';
import { rememberedWorkspace } from './workspace-memory.ts';
import { Workspaces } from './workspaces.tsx';

const SignIn = lazyPart('sign-in', () => import('./sign-in.tsx'));

export function App() {
  const [path] = useLocation();
  return (
    <>
      <PartBoundary place={path}>
        <Suspense fallback={<Loading />}>
          <Session />
        </Suspense>
      </PartBoundary>
      <Notices />
    </>
  );
}

/** Somebody signed in, or the way to sign in. A link to sign in wins over a session that there is. */
function Session() {
  const isSigningIn = location.pathname === '/sign-in';
  const me = useQuery({ ...meQuery(), enabled: !isSigningIn });
  useEffect(watchForEnd, []);
  if (isSigningIn || isSignedOut(me.error)) {
    return <SignIn isOver={!isSigningIn && me.data !== undefined} />;
  }
  if (me.error && !me.data) return <Failed error={me.error} onRetry={() => void me.refetch()} />;
  if (!me.data || !isPlaceOf(me.data.actor)) return <Loading />;
  return (
    <Switch>
      <Route path="/w/:ws" nest>
        {({ ws }) => <WorkspaceApp key={ws} ws={ws} />}
      </Route>
      <Route path="/">
        <Workspaces />
      </Route>
      {/* Deep links that name no workspace (`/plans/orchestration/orc_…`) mean the one that was open last. */}
      <Route>
        <Bare />
      </Route>
    </Switch>
  );
}

/** Whatever the server refuses for want of a session says that the session is over, and not that one thing alone failed. */
function watchForEnd(): () => void {
  const look = (error: unknown) => {
    if (isSignedOut(error)) void queryClient.invalidateQueries({ queryKey: keys.me() });
  };
  const stops = [
    queryClient.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.queryKey[0] !== keys.me()[0]) look(query.state.error);
    }),
    queryClient.getMutationCache().subscribe(({ type, mutation }) => {
      if (type === 'updated') look(mutation?.state.error);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function Bare() {
  const [path] = useLocation();
  const ws = rememberedWorkspace();
  return <Redirect to={ws ? `/w/${ws}${path}${location.search}` : '/'} replace />;
}
