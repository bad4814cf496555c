import { useQuery } from '@tanstack/react-query';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ask, spaces } from '../api/client.ts';
import { isSignedOut, keys } from '../api/queries.ts';
import { Notices } from '../ui/notices.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { SignIn } from './sign-in.tsx';
import { WorkspaceApp } from './workspace-app.tsx';
import { rememberedWorkspace, Workspaces } from './workspaces.tsx';

export function App() {
  return (
    <>
      <Session />
      <Notices />
    </>
  );
}

/** Somebody signed in, or the way to sign in. A link to sign in wins over a session that there is. */
function Session() {
  const me = useQuery({ queryKey: keys.me(), queryFn: () => ask(spaces.api.me.$get()) });
  if (location.pathname === '/sign-in' || isSignedOut(me.error)) return <SignIn />;
  if (me.error) return <Failed error={me.error} onRetry={() => void me.refetch()} />;
  if (!me.data) return <Loading />;
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

function Bare() {
  const [path] = useLocation();
  const ws = rememberedWorkspace();
  return <Redirect to={ws ? `/w/${ws}${path}${location.search}` : '/'} replace />;
}
