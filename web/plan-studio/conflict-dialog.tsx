import { useId, useState } from 'react';
import { plural, texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import css from './conflict.module.css';
import { type Choice, choiceOfAll, type MyChange } from './conflict-merge.ts';
import type { Conflict } from './draft.ts';
import { fieldText } from './revisions-compare.ts';
import { fieldLabels } from './revisions-labels.ts';

const words = texts(
  {
    title: (revision: number) => `Your edits and revision ${revision}`,
    titleClosed: 'Your edits that were not saved',
    how: 'Choose for each field whose version the next revision has.',
    others: (n: number) =>
      `${plural(n, 'other edit', 'other edits')} of yours, which nobody else touched, ${n === 1 ? 'is' : 'are'} kept as well.`,
    howClosed: 'They can be copied from here.',
    mine: 'Mine',
    theirs: 'Theirs',
    both: 'Both of you changed this',
    gone: 'They deleted the sub-ticket: it cannot be changed any more. Restore an older revision to have it back.',
    deleted: 'Deleted',
    restored: 'Brought back',
    kept: 'Kept',
    empty: 'Empty',
    copy: 'Copy my text',
    allMine: 'All mine',
    allTheirs: 'All theirs',
    apply: 'Apply',
    discard: 'Discard my edits',
    close: 'Decide later',
    open: (n: number) => `${plural(n, 'field is', 'fields are')} not decided yet`,
  },
  {
    title: (revision: number) => `Vos modifications et la révision ${revision}`,
    titleClosed: 'Vos modifications non enregistrées',
    how: 'Choisissez, champ par champ, la version que prendra la prochaine révision.',
    others: (n: number) =>
      plural(
        n,
        'autre modification à vous, que personne d’autre n’a touchée, est gardée aussi.',
        'autres modifications à vous, que personne d’autre n’a touchées, sont gardées aussi.',
      ),
    howClosed: 'Vous pouvez les copier d’ici.',
    mine: 'La mienne',
    theirs: 'La leur',
    both: 'Vous avez tous deux changé ceci',
    gone: 'Le sous-ticket a été supprimé : il ne peut plus changer. Restaurez une révision plus ancienne pour le retrouver.',
    deleted: 'Supprimé',
    restored: 'Rétabli',
    kept: 'Gardé',
    empty: 'Vide',
    copy: 'Copier mon texte',
    allMine: 'Toutes les miennes',
    allTheirs: 'Toutes les leurs',
    apply: 'Appliquer',
    discard: 'Abandonner mes modifications',
    close: 'Décider plus tard',
    open: (n: number) => plural(n, 'champ reste à décider', 'champs restent à décider'),
  },
);

interface ConflictDialogProps {
  changes: readonly MyChange[];
  kind: Conflict['kind'];
  revision: number;
  first: Record<string, Choice>;
  onClose(): void;
  onSettle(choices: Record<string, Choice>): void;
}

/** Mine and theirs side by side, field by field; nothing is chosen for the person where both changed it. */
export function ConflictDialog({ changes, kind, revision, first, onClose, onSettle }: ConflictDialogProps) {
  const t = useText(words);
  const [choices, setChoices] = useState(first);
  const isClosed = kind === 'closed';
  const asked = isClosed ? changes : changes.filter(({ clash }) => clash !== 'free');
  const open = asked.filter(({ id }) => choices[id] === undefined).length;
  const chooseAll = (choice: Choice) => setChoices({ ...choices, ...choiceOfAll(asked, choice) });
  const actions = isClosed ? (
    <Button kind="danger" onClick={() => onSettle({})}>
      {t.discard}
    </Button>
  ) : (
    <>
      <Button onClick={() => chooseAll('theirs')}>{t.allTheirs}</Button>
      <Button onClick={() => chooseAll('mine')}>{t.allMine}</Button>
      <Button
        kind="primary"
        disabledReason={open > 0 ? t.open(open) : null}
        onClick={() => onSettle(choices)}
      >
        {t.apply}
      </Button>
    </>
  );
  return (
    <Dialog
      isWide
      title={isClosed ? t.titleClosed : t.title(revision)}
      closeLabel={t.close}
      {...{ onClose, actions }}
    >
      <p className={css.how}>
        {isClosed ? t.howClosed : t.how}{' '}
        {changes.length > asked.length ? t.others(changes.length - asked.length) : null}
      </p>
      <ul className={css.changes}>
        {asked.map((change) => (
          <Row
            key={change.id}
            {...{ change, isClosed }}
            choice={choices[change.id]}
            onChoose={(choice) => setChoices({ ...choices, [change.id]: choice })}
          />
        ))}
      </ul>
    </Dialog>
  );
}

interface RowProps {
  change: MyChange;
  isClosed: boolean;
  choice: Choice | undefined;
  onChoose(choice: Choice): void;
}

function Row({ change, isClosed, choice, onChoose }: RowProps) {
  const t = useText(words);
  const labels = useText(fieldLabels);
  const name = useId();
  const { title, field, clash, mine, theirs } = change;
  const isFixed = isClosed || clash === 'gone';
  const sides: [Choice, string, unknown][] = [
    ['theirs', t.theirs, theirs],
    ['mine', t.mine, mine],
  ];
  return (
    <li>
      <fieldset className={css.change}>
        <legend>
          {title} · {labels[field]} {isFixed ? null : <Badge tone="warn">{t.both}</Badge>}
        </legend>
        {clash === 'gone' && !isClosed ? <p className={css.gone}>{t.gone}</p> : null}
        <div className={css.sides}>
          {sides.map(([side, label, value]) => (
            <div key={side} className={css.side} data-chosen={choice === side || undefined}>
              {isFixed ? (
                <p className={css.label}>{label}</p>
              ) : (
                <label className={css.label}>
                  <input type="radio" name={name} checked={choice === side} onChange={() => onChoose(side)} />
                  {label}
                </label>
              )}
              <pre className={css.value}>{valueText(t, field, value) || <em>{t.empty}</em>}</pre>
            </div>
          ))}
        </div>
        {typeof mine === 'string' ? <CopyButton label={t.copy} text={() => mine} /> : null}
      </fieldset>
    </li>
  );
}

function valueText(t: (typeof words)['en'], field: MyChange['field'], value: unknown): string {
  if (field === 'deleted') return value === null ? t.deleted : t.kept;
  if (field === 'restored') return value === null ? t.deleted : t.restored;
  return fieldText(value);
}
