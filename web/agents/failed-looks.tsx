import { TriangleAlert } from 'lucide-react';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import css from './note.module.css';

const words = texts(
  {
    old: 'A part of this could not be refreshed and may be out of date.',
    missing: 'A part of this could not be loaded.',
    retry: 'Try again',
  },
  {
    old: 'Une partie n’a pas pu être actualisée et n’est peut-être plus à jour.',
    missing: 'Une partie n’a pas pu être chargée.',
    retry: 'Réessayer',
  },
);

/** What is looked up for a screen, as the query library has it. */
export interface Look {
  data: unknown;
  error: Error | null;
  isFetching: boolean;
  refetch(): Promise<unknown>;
}

/** Beside content that stays: which of its looks failed, and a way to try those again. Nothing while all is well. */
export function FailedLooks({ looks }: { looks: readonly Look[] }) {
  const t = useText(words);
  const failed = looks.filter(({ error }) => error !== null);
  const [first] = failed;
  if (!first) return null;
  const again = () => void Promise.all(failed.map((one) => one.refetch()));
  return (
    <div role="status" className={css.failed}>
      <TriangleAlert size={16} aria-hidden />
      <p>
        {failed.every(({ data }) => data !== undefined) ? t.old : t.missing} <FaultText error={first.error} />
      </p>
      <Button isPending={failed.some(({ isFetching }) => isFetching)} onClick={again}>
        {t.retry}
      </Button>
    </div>
  );
}
