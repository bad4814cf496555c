import { ApprovalPart } from './approval-bar-part.tsx';
import { Inspector } from './inspector.tsx';
import { usePlanUrl } from './plan-screen-url.ts';
import { Revisions } from './revisions.tsx';

/** What stands beside the graph. */
export function PlanPanel() {
  const { panel } = usePlanUrl();
  if (panel === 'revisions') return <Revisions />;
  if (panel === 'part' || panel === 'deferred') return <ApprovalPart key={panel} kind={panel} />;
  return <Inspector />;
}
