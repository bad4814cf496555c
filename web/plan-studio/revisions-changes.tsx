import { diffWords } from 'diff';
import { useMemo } from 'react';
import type { Revision } from '../../services/orchestration/orchestrations/schema.ts';
import { texts, useText } from '../i18n/text.ts';
import { stepKeyOf } from './draft-edits.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import css from './revisions.module.css';
import { compare, type TicketChange } from './revisions-compare.ts';
import { fieldLabels } from './revisions-labels.ts';

const words = texts(
  {
    changes: (from: number, to: number) => `What changed from ${from} to ${to}`,
    none: 'Nothing: both say the same.',
    added: 'Added',
    removed: 'Removed',
    changed: 'Changed',
    others: (parts: string) => `Also changed: ${parts}.`,
    gone: 'One of the two revisions does not exist.',
  },
  {
    changes: (from: number, to: number) => `Ce qui a changé de ${from} à ${to}`,
    none: 'Rien : elles sont identiques.',
    added: 'Ajouté',
    removed: 'Retiré',
    changed: 'Modifié',
    others: (parts: string) => `Également modifié : ${parts}.`,
    gone: 'L’une des deux révisions n’existe pas.',
  },
);

const SIGNS = { added: '+', removed: '−', changed: '✎' } as const;

/** The comparison that the URL names, as text: sub-ticket by sub-ticket, field by field, word by word. */
export function RevisionChanges({ items }: { items: readonly Revision[] }) {
  const t = useText(words);
  const labels = useText(fieldLabels);
  const { diff } = usePlanUrl();
  const before = items.find((item) => item.revision === diff?.from)?.proposal;
  const after = items.find((item) => item.revision === diff?.to)?.proposal;
  const comparison = useMemo(() => (before && after ? compare(before, after) : null), [before, after]);
  if (!diff) return null;
  if (!comparison) return <p role="alert">{t.gone}</p>;
  const { tickets, others } = comparison;
  return (
    <section className={css.changes} aria-label={t.changes(diff.from, diff.to)}>
      <h3>{t.changes(diff.from, diff.to)}</h3>
      {tickets.length + others.length === 0 ? <p className={css.soft}>{t.none}</p> : null}
      {others.length > 0 ? <p>{t.others(others.map((part) => labels[part]).join(', '))}</p> : null}
      <ul>
        {tickets.map((change) => (
          <Change key={change.key} change={change} />
        ))}
      </ul>
    </section>
  );
}

function Change({ change }: { change: TicketChange }) {
  const t = useText(words);
  const labels = useText(fieldLabels);
  const { go } = usePlanUrl();
  return (
    <li className={css.change}>
      <p>
        <span className={css[change.change]} aria-hidden="true">
          {SIGNS[change.change]}
        </span>{' '}
        <span className="visually-hidden">{t[change.change]}</span>
        <button type="button" className={css.link} onClick={() => go({ node: stepKeyOf(change.key) })}>
          {change.title}
        </button>
      </p>
      {change.fields.map(({ field, before, after }) => (
        <div key={field} className={css.field}>
          <p className={css.soft}>{labels[field]}</p>
          <Words before={before} after={after} />
        </div>
      ))}
    </li>
  );
}

/** Long texts are compared by words within a bound, since the comparison grows with the square of what differs. */
const MOST_EDITS = 2_000;

function Words({ before, after }: { before: string; after: string }) {
  const parts = useMemo(
    () =>
      diffWords(before, after, { maxEditLength: MOST_EDITS }) ?? [
        { value: before, removed: true, added: false },
        { value: after, removed: false, added: true },
      ],
    [before, after],
  );
  return (
    <p className={css.words}>
      {parts.map(({ value, added, removed }, i) => {
        const Part = added ? 'ins' : removed ? 'del' : 'span';
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one comparison are never moved or added to
        return <Part key={i}>{value}</Part>;
      })}
    </p>
  );
}
