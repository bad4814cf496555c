import { TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { plural, texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import css from './conflict.module.css';
import { ConflictDialog } from './conflict-dialog.tsx';
import { asTyped, type Choice, firstChoices, myChanges, reapply } from './conflict-merge.ts';
import type { Conflict } from './draft.ts';
import { focusInstead } from './focus-field.ts';
import { useDesk, useDraft } from './plan-screen-context.ts';

const words = texts(
  {
    moved: (mine: number, theirs: number) =>
      `The plan moved on: your edits are based on revision ${mine}, the newest is ${theirs}, and both change the same. Nothing was overwritten.`,
    closed:
      'The plan was decided before your last edits were saved; it can no longer be changed. Your edits are kept here.',
    kept: (n: number) => plural(n, 'edit of yours is kept here', 'edits of yours are kept here'),
    look: 'Compare and reapply',
    read: 'See my edits',
    reapplied: (n: number, revision: number) =>
      `${plural(n, 'edit', 'edits')} reapplied on revision ${revision}.`,
    taken: (revision: number) => `Revision ${revision} is taken as it is.`,
  },
  {
    moved: (mine: number, theirs: number) =>
      `Le plan a avancé : vos modifications partent de la révision ${mine}, la plus récente est la ${theirs}, et toutes deux changent la même chose. Rien n’a été écrasé.`,
    closed:
      'Le plan a été décidé avant l’enregistrement de vos dernières modifications ; il ne peut plus changer. Vos modifications sont gardées ici.',
    kept: (n: number) =>
      plural(n, 'modification à vous est gardée ici', 'modifications à vous sont gardées ici'),
    look: 'Comparer et réappliquer',
    read: 'Voir mes modifications',
    reapplied: (n: number, revision: number) =>
      `${plural(n, 'modification réappliquée', 'modifications réappliquées')} sur la révision ${revision}.`,
    taken: (revision: number) => `La révision ${revision} est reprise telle quelle.`,
  },
);

/** Stands above the plan while a newer revision stands against unsaved edits, until each of them is seen to. */
export function ConflictNotice() {
  const conflict = useDraft((state) => state.conflict);
  return conflict ? <OpenConflict key={conflict.theirs.revision} conflict={conflict} /> : null;
}

function OpenConflict({ conflict }: { conflict: Conflict }) {
  const t = useText(words);
  const { draft, saver } = useDesk();
  const [isOpen, setOpen] = useState(false);
  const base = useDraft((state) => state.base);
  const mine = useDraft((state) => state.proposal);
  const { theirs, kind } = conflict;
  const changes = useMemo(
    () => myChanges(base.proposal, mine, theirs.proposal),
    [base.proposal, mine, theirs.proposal],
  );
  const settle = (choices: Record<string, Choice>) => {
    setOpen(false);
    saver.adopt(theirs, asTyped(reapply(theirs.proposal, changes, choices), mine));
    focusInstead('bar');
    const n = changes.filter(({ id }) => choices[id] === 'mine').length;
    draft.setState({ said: n > 0 ? t.reapplied(n, theirs.revision) : t.taken(theirs.revision) });
    if (draft.getState().save === 'unsaved') void saver.flush();
  };
  return (
    <>
      <div className={css.notice} role="alert">
        <TriangleAlert size={16} aria-hidden className={css.sign} />
        <p>
          {kind === 'closed' ? t.closed : t.moved(base.revision, theirs.revision)} {t.kept(changes.length)}.
        </p>
        <Button kind="primary" onClick={() => setOpen(true)}>
          {kind === 'closed' ? t.read : t.look}
        </Button>
      </div>
      {isOpen ? (
        <ConflictDialog
          {...{ changes, kind }}
          revision={theirs.revision}
          first={kind === 'closed' ? {} : firstChoices(changes)}
          onClose={() => setOpen(false)}
          onSettle={settle}
        />
      ) : null}
    </>
  );
}
