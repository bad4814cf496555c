import { CoreError } from './errors.ts';
import { succeed, withKernels } from './instance.ts';

export const VERDICTS = ['ship', 'hold', 'block'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Finding {
  /** P0 blocks a release, P3 is optional. */
  priority: 0 | 1 | 2 | 3;
  /** 0 to 1. */
  confidence: number;
}

export interface AxisResult {
  axis: string;
  result: 'pass' | 'fail' | 'partial' | 'unavailable';
  gated: boolean;
}

const SURE = 0.7;
const AXES_A_CALL = 32;
const INVALID = 3;

function checkFinding(finding: Finding, i: number): void {
  const { priority, confidence } = finding;
  if (![0, 1, 2, 3].includes(priority))
    throw new CoreError('BAD_ARGUMENT', `findings[${i}].priority: ${priority} is not 0 to 3`);
  if (!(typeof confidence === 'number' && confidence >= 0 && confidence <= 1))
    throw new CoreError('BAD_ARGUMENT', `findings[${i}].confidence: ${confidence} is not 0 to 1`);
}

/** 1 − standard deviation, held to 0.5–1. Sorted first: a sum of fractions depends on its order. */
function agreement(findings: readonly Finding[]): number {
  if (findings.length === 0) return 1;
  const values = findings.map((finding) => finding.confidence).sort((a, b) => a - b);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / values.length;
  return Math.min(1, Math.max(0.5, 1 - Math.sqrt(variance)));
}

/**
 * The verdict that the findings alone give, and how far those it rests on agree: for block the P0 that are sure, for hold
 * every P0 and P1, for ship all. Throws BAD_ARGUMENT for a finding out of range; such are dropped before.
 */
export function baseVerdict(findings: readonly Finding[]): { verdict: Verdict; confidence: number } {
  findings.forEach(checkFinding);
  const blocking = findings.filter((finding) => finding.priority === 0 && finding.confidence >= SURE);
  if (blocking.length > 0) return { verdict: 'block', confidence: agreement(blocking) };
  const holding = findings.filter((finding) => finding.priority <= 1);
  if (holding.length > 0) return { verdict: 'hold', confidence: agreement(holding) };
  return { verdict: 'ship', confidence: agreement(findings) };
}

const SEVERITY = new Map<string, number>([
  ['pass', 0],
  ['partial', 1],
  ['unavailable', 1],
  ['fail', 2],
]);

/** 0 ship, 1 hold, 2 block, 3 not an axis result. A gated axis without full evidence is never green. */
function axisCode({ result, gated }: AxisResult): number {
  const severity = SEVERITY.get(result);
  if (severity === undefined || typeof gated !== 'boolean') return INVALID;
  return gated ? severity : 0;
}

function combineWords(base: number, codes: readonly number[]): number {
  let low = 0;
  let high = 0;
  codes.forEach((code, i) => {
    if (i < 16) low |= code << (2 * i);
    else high |= code << (2 * (i - 16));
  });
  return withKernels((kernels) => succeed(kernels, kernels.verdict(base, low, high)));
}

/** The base verdict made more severe by the axes, never less. Fails closed: any error is `block`. */
export function combineVerdict(base: Verdict, axes: readonly AxisResult[]): Verdict {
  try {
    const codes = axes.map(axisCode);
    let verdict = VERDICTS.indexOf(base);
    for (let at = 0; at === 0 || at < codes.length; at += AXES_A_CALL)
      verdict = combineWords(verdict, codes.slice(at, at + AXES_A_CALL));
    return VERDICTS[verdict] ?? 'block';
  } catch {
    return 'block';
  }
}
