import { useState } from 'react';
import type { Revision } from '../../services/orchestration/orchestrations/schema.ts';
import { FailedLooks } from '../agents/failed-looks.tsx';
import { useNames } from '../conversation/names.ts';
import { ago, dateTime } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { useMe } from '../shell/use-me.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import inspector from './inspector.module.css';
import { InspectorHead } from './inspector-head.tsx';
import { LabelledSelect } from './labelled-select.tsx';
import { useDesk } from './plan-screen-context.ts';
import { plans, usePlanAction, useRevisions } from './plan-screen-data.ts';
import { usePlanUrl } from './plan-screen-url.ts';
import css from './revisions.module.css';
import { RevisionChanges } from './revisions-changes.tsx';
import { compare } from './revisions-compare.ts';

const words = texts(
  {
    revisions: 'Revisions',
    revision: (n: number) => `Revision ${n}`,
    newest: 'Newest',
    approved: 'Approved',
    origin: {
      proposed: 'Proposed',
      edited: 'Edited',
      rolledBack: (n: number) => `Restored from revision ${n}`,
    },
    show: 'Show',
    shown: 'Shown',
    compareBefore: (n: number) => `Compare with ${n}`,
    restore: (to: number) => `Restore as revision ${to}`,
    restoreName: (from: number, to: number) => `Restore as revision ${to}, from revision ${from}`,
    restored: (from: number, to: number) => `Revision ${from} is restored as revision ${to}.`,
    compare: 'Compare two',
    from: 'From',
    to: 'To',
    decided: 'The plan is decided: it can no longer change',
    counts: (added: number, removed: number, changed: number) =>
      `${added} added, ${removed} removed, ${changed} changed`,
    stop: 'Stop comparing',
  },
  {
    revisions: 'Révisions',
    revision: (n: number) => `Révision ${n}`,
    newest: 'La plus récente',
    approved: 'Approuvée',
    origin: {
      proposed: 'Proposée',
      edited: 'Modifiée',
      rolledBack: (n: number) => `Restaurée depuis la révision ${n}`,
    },
    show: 'Afficher',
    shown: 'Affichée',
    compareBefore: (n: number) => `Comparer à la ${n}`,
    restore: (to: number) => `Restaurer comme révision ${to}`,
    restoreName: (from: number, to: number) => `Restaurer comme révision ${to}, depuis la révision ${from}`,
    restored: (from: number, to: number) => `La révision ${from} est restaurée comme révision ${to}.`,
    compare: 'Comparer deux révisions',
    from: 'De',
    to: 'À',
    decided: 'Le plan est décidé : il ne peut plus changer',
    counts: (added: number, removed: number, changed: number) =>
      `${added} ajoutés, ${removed} retirés, ${changed} modifiés`,
    stop: 'Arrêter la comparaison',
  },
);

/** Every revision, newest first; they are only added to. */
export default function Revisions() {
  const t = useText(words);
  const { ws, detail } = useDesk();
  const revisions = useRevisions(ws, detail.id, true);
  if (!revisions.data)
    return revisions.error ? (
      <Failed error={revisions.error} onRetry={() => void revisions.refetch()} />
    ) : (
      <Loading />
    );
  const items = revisions.data;
  return (
    <div className={inspector.inspector}>
      <InspectorHead title={t.revisions} />
      <FailedLooks looks={[revisions]} />
      {items.length > 1 ? <CompareForm items={items} /> : null}
      <RevisionChanges items={items} />
      <ol className={css.timeline} aria-label={t.revisions}>
        {items.toReversed().map((item) => (
          <Entry
            key={item.revision}
            item={item}
            before={items.find((one) => one.revision === item.revision - 1)}
          />
        ))}
      </ol>
    </div>
  );
}

function CompareForm({ items }: { items: readonly Revision[] }) {
  const t = useText(words);
  const { diff, go } = usePlanUrl();
  const last = items.at(-1)?.revision ?? 1;
  const [picked, setPicked] = useState({ from: last - 1, to: last });
  const { from, to } = diff ?? picked;
  const choose = (next: { from: number; to: number }) => {
    setPicked(next);
    if (next.from !== next.to) go({ diff: next, rev: null });
  };
  const numbers = items.map(({ revision }) => <option key={revision}>{revision}</option>);
  return (
    <fieldset className={css.compare}>
      <legend>{t.compare}</legend>
      <LabelledSelect label={t.from} value={from} onChoose={(one) => choose({ from: Number(one), to })}>
        {numbers}
      </LabelledSelect>
      <LabelledSelect label={t.to} value={to} onChoose={(one) => choose({ from, to: Number(one) })}>
        {numbers}
      </LabelledSelect>
      {diff ? (
        <Button onClick={() => go({ diff: null })}>{t.stop}</Button>
      ) : (
        <Button onClick={() => choose(picked)}>{t.compare}</Button>
      )}
    </fieldset>
  );
}

function Entry({ item, before }: { item: Revision; before: Revision | undefined }) {
  const t = useText(words);
  const now = useNow();
  const { ws, detail } = useDesk();
  const names = useNames(ws);
  const { rev, diff, go } = usePlanUrl();
  const { revision, author, origin, rolledBackTo, createdAt } = item;
  const by = names(author);
  const counts = before ? compare(before.proposal, item.proposal).counts : null;
  const isShown = (rev ?? detail.approvedRevision ?? detail.revision) === revision && !diff;
  return (
    <li className={css.entry} aria-current={isShown || undefined}>
      <Avatar name={by.name} kind={by.kind} />
      <div className={css.what}>
        <p className={css.headline}>
          <strong>{t.revision(revision)}</strong>
          {revision === detail.revision ? <Badge>{t.newest}</Badge> : null}
          {revision === detail.approvedRevision ? <Badge tone="good">{t.approved}</Badge> : null}
        </p>
        <p className={css.soft}>
          {origin === 'rolledBack' ? t.origin.rolledBack(rolledBackTo ?? 0) : t.origin[origin]} · {by.name} ·{' '}
          <time title={dateTime(createdAt)}>{ago(createdAt, now)}</time>
        </p>
        {counts ? <Counts {...counts} /> : null}
        <div className={css.buttons}>
          <Button kind="quiet" aria-pressed={isShown} onClick={() => go({ rev: revision, diff: null })}>
            {isShown ? t.shown : t.show}
          </Button>
          {before ? (
            <Button
              kind="quiet"
              onClick={() => go({ diff: { from: before.revision, to: revision }, rev: null })}
            >
              {t.compareBefore(before.revision)}
            </Button>
          ) : null}
          {revision === detail.revision ? null : <Restore revision={revision} />}
        </div>
      </div>
    </li>
  );
}

function Counts({ added, removed, changed }: { added: number; removed: number; changed: number }) {
  const t = useText(words);
  return (
    <p className={css.counts}>
      <span aria-hidden="true">
        <span className={css.added}>+{added}</span> <span className={css.removed}>−{removed}</span>{' '}
        <span className={css.changed}>~{changed}</span>
      </span>
      <span className="visually-hidden">{t.counts(added, removed, changed)}</span>
    </p>
  );
}

/** Puts an older proposal on top as a new revision: nothing is taken back. */
function Restore({ revision }: { revision: number }) {
  const t = useText(words);
  const { ws, detail, saver, draft } = useDesk();
  const { go } = usePlanUrl();
  const { cannotChange } = useMe();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const restore = usePlanAction(ws, detail.id, async () => {
    if (!(await saver.flush())) return;
    const baseRevision = draft.getState().base.revision;
    const made = await plans.rollBack(ws, detail.id, { baseRevision, to: revision, key });
    // Restored once more, later, it is another revision.
    setKey(crypto.randomUUID());
    go({ rev: null, diff: null });
    draft.setState({ said: t.restored(revision, made.revision) });
  });
  const next = detail.revision + 1;
  return (
    <Button
      kind="quiet"
      aria-label={t.restoreName(revision, next)}
      disabledReason={detail.status === 'proposed' ? cannotChange : t.decided}
      isPending={restore.isPending}
      onClick={() => restore.mutate(undefined)}
    >
      {t.restore(next)}
    </Button>
  );
}
