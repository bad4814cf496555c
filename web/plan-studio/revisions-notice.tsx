import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import css from './plan-screen.module.css';
import { useDesk } from './plan-screen-context.ts';
import { usePlanUrl } from './plan-screen-url.ts';

const words = texts(
  {
    older: (n: number) => `This is revision ${n}, to be read alone.`,
    compare: (from: number, to: number) =>
      `Revision ${from} compared with ${to}: what was added has a plus, what was removed a minus, what changed a pencil.`,
    back: 'Back to the present plan',
  },
  {
    older: (n: number) => `Voici la révision ${n}, en lecture seule.`,
    compare: (from: number, to: number) =>
      `Révision ${from} comparée à la ${to} : les ajouts portent un plus, les retraits un moins, les changements un crayon.`,
    back: 'Revenir au plan actuel',
  },
);

/** Says that what is shown is not the plan as it stands. */
export function RevisionNotice() {
  const t = useText(words);
  const { detail } = useDesk();
  const { rev, diff, go } = usePlanUrl();
  const isPresent = rev === null || rev === (detail.approvedRevision ?? detail.revision);
  if (diff === null && isPresent) return null;
  return (
    <div className={css.look} role="status">
      <p>{diff ? t.compare(diff.from, diff.to) : t.older(rev ?? 0)}</p>
      <Button onClick={() => go({ rev: null, diff: null })}>{t.back}</Button>
    </div>
  );
}
