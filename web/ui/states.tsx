import type { ReactNode } from 'react';
import { hasCode } from '../api/problem.ts';
import { texts, useText } from '../i18n/text.ts';
import { Button } from './button.tsx';
import { FaultText } from './fault-text.tsx';
import css from './states.module.css';

const words = texts(
  { retry: 'Try again', loading: 'Loading…', failed: 'This could not be loaded.', gone: 'This is not here.' },
  {
    retry: 'Réessayer',
    loading: 'Chargement…',
    failed: 'Impossible de charger ceci.',
    gone: 'Ceci n’est pas ici.',
  },
);

/** Keeps the place of what is on its way. */
export function Loading() {
  const t = useText(words);
  return (
    <div className={css.state} role="status">
      {t.loading}
    </div>
  );
}

/** Nothing here yet, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.state}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** What failed, with a way to try again unless there is nothing to be had. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useText(words);
  const isGone = hasCode(error, 'not_found');
  return (
    <div className={css.state} role="alert">
      <h2>{isGone ? t.gone : t.failed}</h2>
      <p>
        <FaultText error={error} />
      </p>
      {onRetry && !isGone ? <Button onClick={onRetry}>{t.retry}</Button> : null}
    </div>
  );
}
