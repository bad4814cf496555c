import { Suspense } from 'react';
import { lazyPart } from '../shell/lazy-part.ts';
import { Loading } from '../ui/states.tsx';
import { ApprovalPart } from './approval-bar-part.tsx';
import { Inspector } from './inspector.tsx';
import { usePlanUrl } from './plan-screen-url.ts';

const Revisions = lazyPart('revisions', () => import('./revisions.tsx'));

/** What stands beside the graph. */
export function PlanPanel() {
  const { panel } = usePlanUrl();
  if (panel === 'part' || panel === 'deferred') return <ApprovalPart key={panel} kind={panel} />;
  if (panel !== 'revisions') return <Inspector />;
  return (
    <Suspense fallback={<Loading />}>
      <Revisions />
    </Suspense>
  );
}
