import { createHash } from 'node:crypto';
import { baseVerdict, combineVerdict, type Verdict as VerdictWord } from '../../../core-wasm/core.ts';
import { canonicalJson } from '../canonical-json.ts';
import type { Axis } from './axes.ts';
import type { FindingRow } from './finding-schema.ts';

export interface Judgement {
  verdict: VerdictWord;
  /** What the findings alone give, and how far those it rests on agree. */
  base: VerdictWord;
  confidence: number;
  /** The findings that weigh: all that nobody resolved, outdated ones too, since a changed line is no proof of a mended one. */
  findings: FindingRow[];
  axes: Axis[];
  /** Equal for equal findings and axes at one head. */
  digest: string;
}

/** Judges a head by its findings and axes. */
export function judge(headSha: string, all: readonly FindingRow[], axes: readonly Axis[]): Judgement {
  const findings = all.filter(({ resolved }) => resolved === null);
  const base = baseVerdict(findings);
  const verdict = combineVerdict(base.verdict, axes);
  return {
    verdict,
    base: base.verdict,
    confidence: base.confidence,
    findings,
    axes: [...axes],
    digest: digestOf(headSha, findings, axes),
  };
}

// A peer's confirmation does not make another verdict, so it is left out.
function digestOf(headSha: string, findings: readonly FindingRow[], axes: readonly Axis[]): string {
  const judged = {
    headSha,
    findings: findings.map(({ id, place }) => ({ id, place })),
    axes: axes.map(({ axis, result, gated }) => ({ axis, result, gated })),
  };
  return createHash('sha256').update(canonicalJson(judged)).digest('hex');
}
