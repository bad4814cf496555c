import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import css from './out-of-date.module.css';

const words = texts(
  { old: 'This may be out of date:', retry: 'Try again' },
  { old: 'Ceci n’est peut-être plus à jour :', retry: 'Réessayer' },
);

/** Beside what an earlier look found: that a later one failed, and why. Nothing while none did. */
export function OutOfDate({ look }: { look: { error: unknown; refetch(): unknown } }) {
  const t = useText(words);
  if (!look.error) return null;
  return (
    <div className={css.old} role="alert">
      <p>
        {t.old} <FaultText error={look.error} />
      </p>
      <Button onClick={() => void look.refetch()}>{t.retry}</Button>
    </div>
  );
}
