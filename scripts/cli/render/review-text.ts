import type { Finding } from '../../../services/spaces/reviews/finding-schema.ts';
import type { ReviewItem, ReviewView } from '../../../services/spaces/reviews/review-view.ts';
import type { Paint } from '../paint.ts';
import { plainLine, plainText } from '../plain-text.ts';
import { plural } from './amounts.ts';
import { table } from './table.ts';

const PAINTS = { ship: 'green', hold: 'yellow', block: 'red' } as const satisfies Record<string, keyof Paint>;

export function reviewsTable(reviews: readonly ReviewItem[]): string {
  const columns = ['ID', 'PULL REQUEST', 'STATE', 'HEAD', 'VERDICT', 'TITLE'].map((title) => ({ title }));
  const rows = reviews.map((review) => [
    review.id,
    plainLine(`${review.repository}#${review.number}`, 50),
    review.draft ? 'draft' : review.state,
    review.headSha.slice(0, 10),
    verdictWord(review),
    plainLine(review.title, 60),
  ]);
  return table(columns, rows, 'No reviews yet. Open one with `cctl review open URL`.');
}

function verdictWord({ verdict, stale }: ReviewItem): string {
  return verdict === null ? 'none yet' : stale ? `${verdict} (stale)` : verdict;
}

/** A review for a person to act on: the verdict or what it would be, the axes, and each finding. */
export function reviewText(review: ReviewView, paint: Paint): string {
  const { findings, axes, dropped } = review;
  return [
    `${paint.bold(plainLine(`${review.repository}#${review.number} ${review.title}`, 160))} (${review.id})`,
    plainText(review.url),
    `Head     ${review.headSha}, ${review.state}${review.draft ? ', draft' : ''}`,
    `Diff     ${plural(review.files.length, 'file')}${review.filesComplete ? '' : ' or more'}, ${plural(review.commits.length, 'commit')}`,
    `Verdict  ${verdictText(review, paint)}`,
    ...publicationLines(review),
    `Axes     ${axes.map(({ axis, gated, result }) => `${axis} ${result}${gated ? ' (gated)' : ''}`).join(', ') || 'none'}`,
    '',
    paint.bold(
      `${plural(findings.length, 'finding')}${dropped > 0 ? `, ${dropped} dropped as not valid` : ''}`,
    ),
    ...findings.flatMap((finding) => findingLines(finding, paint)),
  ].join('\n');
}

function verdictText({ verdict, prospect, stale }: ReviewView, paint: Paint): string {
  const { verdict: word, confidence } = verdict ?? prospect;
  const said = `${paint[PAINTS[word]](word)}, confidence ${confidence.toFixed(2)}`;
  if (verdict === null) return `none yet; it would be ${said}`;
  return stale ? `${said}; stale: it is for ${verdict.headSha.slice(0, 10)}` : said;
}

function publicationLines({ publication }: ReviewView): string[] {
  if (publication === null) return [];
  const { state, reason, providerUrl } = publication;
  return [`Sent     ${state}: ${plainText(providerUrl ?? reason)}`];
}

function findingLines(
  { priority, type, confidence, status, place, anchor, body, resolved }: Finding,
  paint: Paint,
) {
  const where = place ?? anchor;
  const lines = where === null ? 'the whole' : `${where.path}:${where.startLine}`;
  const moved = place === null || place.state === 'current' ? '' : ` (${place.state})`;
  const state = resolved === null ? status : `resolved: ${plainLine(resolved.reason, 80)}`;
  return [
    `${paint.bold(priority)} ${type}, ${plainLine(lines, 120)}${moved}, confidence ${confidence}, ${state}`,
    ...plainText(body)
      .split('\n')
      .map((line) => `    ${line}`),
  ];
}
