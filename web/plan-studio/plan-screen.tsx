import { Failed, Loading } from '../ui/states.tsx';
import { useBasis, useCore, usePlan } from './plan-screen-data.ts';
import { OpenPlan } from './plan-screen-open.tsx';

/** A plan or an orchestration: its graph, its fields, its revisions, and the decision about it. */
export default function PlanScreen({ ws, id }: { ws: string; id: string }) {
  const plan = usePlan(ws, id);
  const basis = useBasis(ws, id);
  const core = useCore();
  if (!plan.data || !core.data) {
    const error = plan.error ?? core.error;
    const again = () => void (plan.error ? plan.refetch() : core.refetch());
    return error ? <Failed error={error} onRetry={again} /> : <Loading />;
  }
  return (
    <OpenPlan
      key={id}
      {...{ ws, detail: plan.data, basis: basis.data ?? null, core: core.data }}
      looks={[plan, basis]}
    />
  );
}
