import type { Estimate, NodeEstimate } from '../../../core-wasm/core.ts';
import { duration, money, plural, range } from './amounts.ts';

/**
 * The estimate, each range labelled as what it is: a sum of quartiles is not the quartile of the sum, so the simulated
 * range of the whole plan stands beside it. What has no history is unknown, and then every total is a lower bound.
 */
export function estimateLines(estimate: Estimate): string[] {
  const { cost, duration: time, knownNodes, unknownNodes } = estimate;
  const lines = [
    `Cost      ${total(cost.sumOfQuartiles, money, cost.atLeast)}  (sum of the steps' quartiles)`,
    `          ${total(cost.simulated, money, cost.atLeast)}  (simulated p25–p75 of the whole plan)`,
    `Duration  ${total(time.longestPath, duration, time.atLeast)}  (longest path of the steps' quartiles)`,
    `          ${total(time.simulated, duration, time.atLeast)}  (simulated p25–p75 of the whole plan)`,
  ];
  if (estimate.criticalPath.length > 0 && time.longestPath) {
    lines.push(`Longest path: ${estimate.criticalPath.join(' → ')}`);
  }
  if (unknownNodes > 0) lines.push(basis(knownNodes, unknownNodes));
  return lines;
}

function total(
  value: { p25: number; p75: number } | null,
  show: (n: number) => string,
  atLeast: boolean,
): string {
  return value !== null && atLeast ? `at least ${range(value, show)}` : range(value, show);
}

function basis(known: number, unknown: number): string {
  if (known === 0) return 'No role has completed a run yet, so nothing can be estimated.';
  return `${plural(unknown, 'step')} of ${known + unknown} without history: unknown, left out of the totals.`;
}

/** One step's own ranges, `unknown` without history. */
export function nodeEstimateText(node: NodeEstimate | undefined): string {
  if (!node || node.sampleSize === 0) return 'unknown';
  const cost = range(node.costMicros, money);
  const time = range(node.durationMs, duration);
  return `${cost === 'unknown' ? 'cost unknown' : cost}, ${time === 'unknown' ? 'time unknown' : time} (${plural(node.sampleSize, 'run')})`;
}
