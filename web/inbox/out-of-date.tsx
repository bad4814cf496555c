import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import css from './preview.module.css';
import { inboxText } from './text.ts';

/** Beside what an earlier look found: that a later one failed, and why. */
export function OutOfDate({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const t = useText(inboxText);
  return (
    <div className={css.outOfDate} role="alert">
      <p>
        {t.outOfDate} <FaultText error={error} />
      </p>
      <Button onClick={onRetry}>{t.retry}</Button>
    </div>
  );
}
