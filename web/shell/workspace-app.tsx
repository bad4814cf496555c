import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Failed, Loading } from '../ui/states.tsx';
import { useLiveWorkspace } from './use-live-workspace.ts';

const SpaceScreen = lazy(() => import('../conversation/space-screen.tsx'));
const PlanScreen = lazy(() => import('../plan-studio/plan-screen.tsx'));
const PlansScreen = lazy(() => import('../plan-studio/plans-screen.tsx'));
const InboxScreen = lazy(() => import('../inbox/inbox-screen.tsx'));
const AgentsScreen = lazy(() => import('../agents/agents-screen.tsx'));
const AgentScreen = lazy(() => import('../agents/agent-screen.tsx'));
const OrgScreen = lazy(() => import('../agents/org-screen.tsx'));
const RunScreen = lazy(() => import('../runs/run-screen.tsx'));
const SettingsScreen = lazy(() => import('../settings/settings-screen.tsx'));

/** A workspace: what is around every screen of it, and the screens. Paths below are relative to `/w/<workspace>`. */
export function WorkspaceApp({ ws }: { ws: string }) {
  const live = useLiveWorkspace(ws);
  if (live.error) return <Failed error={live.error} onRetry={live.retry} />;
  if (!live.isReady) return <Loading />;
  return (
    <main>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/inbox/:id?">{({ id }) => <InboxScreen ws={ws} selectedId={id ?? null} />}</Route>
          <Route path="/spaces/:id">{({ id }) => <SpaceScreen key={id} ws={ws} spaceId={id} />}</Route>
          <Route path="/plans">
            <PlansScreen ws={ws} />
          </Route>
          <Route path="/plans/:kind/:id">{({ id }) => <PlanScreen key={id} ws={ws} id={id} />}</Route>
          <Route path="/runs/:id">{({ id }) => <RunScreen key={id} ws={ws} runId={id} />}</Route>
          <Route path="/agents">
            <AgentsScreen ws={ws} />
          </Route>
          <Route path="/agents/:id">{({ id }) => <AgentScreen key={id} ws={ws} agentId={id} />}</Route>
          <Route path="/org">
            <OrgScreen ws={ws} />
          </Route>
          <Route path="/settings">
            <SettingsScreen ws={ws} />
          </Route>
          <Route>
            <Redirect to="/inbox" replace />
          </Route>
        </Switch>
      </Suspense>
    </main>
  );
}
