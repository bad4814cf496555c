import { useSyncExternalStore } from 'react';
import { ago, dateTime } from '../i18n/format.ts';

/** Coarser than the seconds of a run: a long list says anew how old a thousand things are. */
const STEP_MS = 10_000;

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, STEP_MS);
  return () => clearInterval(timer);
}

const steps = () => Math.floor(Date.now() / STEP_MS);

/** How long something has waited. */
export function Age({ since }: { since: number }) {
  const now = useSyncExternalStore(subscribe, steps) * STEP_MS;
  return (
    <time dateTime={new Date(since).toISOString()} title={dateTime(since)}>
      {ago(since, Math.max(now, since))}
    </time>
  );
}
