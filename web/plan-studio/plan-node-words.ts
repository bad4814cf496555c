import { durationRange, moneyRange } from '../i18n/format.ts';
import type { statusText } from '../ui/status-words.ts';
import type { CanvasText } from './canvas-text.ts';
import type { PlanNode } from './plan-view.ts';

/** How long a step takes, in the words of its card; null for steps in which nobody works and what is not computed. */
export function timeOf({ estimate }: PlanNode, t: CanvasText): string | null {
  if (!estimate) return null;
  return estimate.durationMs ? durationRange(estimate.durationMs) : t.unknown;
}

/** The whole of a node in one sentence, for those who do not see its card; it begins with the words of the card. */
export function nodeSentence(
  node: PlanNode,
  isCritical: boolean,
  t: CanvasText,
  statuses: (typeof statusText)['en'],
): string {
  const { title, roleTitle, status, change, estimate, isReadOnly, isDeferred, needs } = node;
  return [
    title,
    roleTitle,
    timeOf(node, t),
    change && t.looks[change],
    status && statuses[status],
    isDeferred && status !== 'deferred' && statuses.deferred,
    estimate?.costMicros && t.costs(moneyRange(estimate.costMicros)),
    t.needs(needs.length),
    isCritical && t.onLongestPath,
    isReadOnly && t.readOnly,
  ]
    .filter(Boolean)
    .join(', ');
}
