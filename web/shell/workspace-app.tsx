import { Suspense, useLayoutEffect } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { hasCode } from '../api/problem.ts';
import { texts, useText } from '../i18n/text.ts';
import { notify } from '../ui/notices.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { lazyPart } from './lazy-part.ts';
import { PartBoundary } from './part-boundary.tsx';
import { Shell } from './shell.tsx';
import { useLiveWorkspace } from './use-live-workspace.ts';

const SpaceScreen = lazyPart('space-screen', () => import('../conversation/space-screen.tsx'));
const PlanScreen = lazyPart('plan-screen', () => import('../plan-studio/plan-screen.tsx'));
const PlansScreen = lazyPart('plans-screen', () => import('../plan-studio/plans-screen.tsx'));
const InboxScreen = lazyPart('inbox-screen', () => import('../inbox/inbox-screen.tsx'));
const AgentsScreen = lazyPart('agents-screen', () => import('../agents/agents-screen.tsx'));
const AgentScreen = lazyPart('agent-screen', () => import('../agents/agent-screen.tsx'));
const OrgScreen = lazyPart('org-screen', () => import('../agents/org-screen.tsx'));
const RunScreen = lazyPart('run-screen', () => import('../runs/run-screen.tsx'));
const SettingsScreen = lazyPart('settings-screen', () => import('../settings/settings-screen.tsx'));

const words = texts(
  { nowhere: 'There is nothing at that address.' },
  { nowhere: 'Il n’y a rien à cette adresse.' },
);

/** A workspace: what is around every screen of it, and the screens. Paths below are relative to `/w/<workspace>`. */
export function WorkspaceApp({ ws }: { ws: string }) {
  const live = useLiveWorkspace(ws);
  // A link to what is not here any more, or the memory of another server: the list says what there is.
  if (hasCode(live.error, 'not_found')) return <Nowhere to="~/" />;
  if (live.error) return <Failed error={live.error} onRetry={live.retry} />;
  if (!live.isReady) return <Loading />;
  return (
    <Shell ws={ws}>
      <Screens ws={ws} />
    </Shell>
  );
}

function Screens({ ws }: { ws: string }) {
  const [path] = useLocation();
  return (
    <PartBoundary place={path}>
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
          <Route>{path === '/' ? <Redirect to="/inbox" replace /> : <Nowhere to="/inbox" />}</Route>
        </Switch>
      </Suspense>
    </PartBoundary>
  );
}

/** Leads on from an address at which there is nothing, and says so: what comes is not what was asked for. */
function Nowhere({ to }: { to: string }) {
  const t = useText(words);
  // At once: it is gone before a later effect.
  useLayoutEffect(() => notify(t.nowhere), [t]);
  return <Redirect to={to} replace />;
}
