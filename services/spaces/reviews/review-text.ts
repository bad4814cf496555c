import type { Verdict as VerdictWord } from '../../../core-wasm/core.ts';
import type { Place } from './anchor.ts';
import type { Axis } from './axes.ts';
import type { FindingRow } from './finding-schema.ts';
import { inOneLine, quoted } from './foreign-text.ts';

/** Of what is said beside the findings; each has to leave room for them in what a provider takes. */
const LONGEST_SUMMARY = 20_000;
const LONGEST_NOTE = 300;

/** What a verdict says, for people. */
export interface VerdictText {
  verdict: VerdictWord;
  base: VerdictWord;
  confidence: number;
  headSha: string;
  axes: readonly Axis[];
  dropped: number;
  summary: string;
}

const MEANING: Record<VerdictWord, string> = {
  ship: 'nothing speaks against it',
  hold: 'not yet',
  block: 'must not go out as it is',
};

/** The verdict and what it rests on, as Markdown; findings come after it. */
export function verdictText(text: VerdictText): string {
  const { verdict, base, confidence, headSha, axes, dropped, summary } = text;
  const alone = base === verdict ? '' : `; the findings alone give ${base}`;
  const head = `**Verdict: ${verdict}** (${MEANING[verdict]}) for \`${headSha}\`, confidence ${confidence.toFixed(2)}${alone}.`;
  const lost = `${dropped} ${dropped === 1 ? 'finding was' : 'findings were'} dropped for want of a valid priority or confidence.`;
  const said = summary.trim() === '' ? '' : quoted(summary, LONGEST_SUMMARY);
  return [head, said, axes.map(axisLine).join('\n'), dropped > 0 ? lost : '']
    .filter((part) => part !== '')
    .join('\n\n');
}

function axisLine({ axis, result, gated, note }: Axis): string {
  return `- ${axis}: ${result}${gated ? ' (gated)' : ''}${note ? `. ${inOneLine(note, LONGEST_NOTE)}` : ''}`;
}

/** The first line of a finding: what it is, how sure, and where. */
export function findingHead({ type, priority, confidence, status }: FindingRow, place: Place | null): string {
  const seen = status === 'consensusReady' ? ', confirmed by a peer' : '';
  return `**P${priority} ${type}** (confidence ${confidence.toFixed(2)}${seen})${placeText(place)}`;
}

function placeText(place: Place | null): string {
  if (place === null) return '';
  const { path, startLine, endLine, side, state, sha } = place;
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const before = side === 'LEFT' ? ' before the change' : '';
  const outdated = state === 'outdated' ? `, outdated: these were its lines at \`${sha.slice(0, 12)}\`` : '';
  const shown = path.replaceAll('`', "'").replace(/\p{Cc}/gu, '\uFFFD');
  return ` at \`${shown}:${lines}\`${before}${outdated}`;
}

/** Whole findings, one after the other, as many as fit into `limit` characters; the rest is counted. */
export function findingsText(
  findings: readonly { row: FindingRow; place: Place | null }[],
  limit: number,
): string {
  let text = '';
  for (const [i, { row, place }] of findings.entries()) {
    const next = `${text === '' ? '' : '\n\n'}${findingHead(row, place)}\n\n${quoted(row.body)}`;
    if (text.length + next.length > limit) {
      const left = findings.length - i;
      return `${text}\n\n${left} more ${left === 1 ? 'finding stands' : 'findings stand'} in Control Center.`.trim();
    }
    text += next;
  }
  return text;
}
