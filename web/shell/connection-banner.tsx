import { WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { queryClient } from '../api/queries.ts';
import { duration } from '../i18n/format.ts';
import { texts, useText } from '../i18n/text.ts';
import { useConnection } from '../live/connection.ts';
import { retryConnection } from '../live/live.ts';
import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/use-now.ts';
import css from './connection-banner.module.css';
import { meQuery } from './shell-queries.ts';

const words = texts(
  {
    lost: 'The connection is lost. What you see is what was last known',
    since: (age: string) => `${age} ago`,
    retry: 'Try now',
  },
  {
    lost: 'La connexion est perdue. Ce que vous voyez est le dernier état connu',
    since: (age: string) => `il y a ${age}`,
    retry: 'Réessayer maintenant',
  },
);

/** Shorter breaks mend themselves before anybody has read a banner. */
const PATIENCE_MS = 1_500;
const PROBE_MS = 5_000;

/** Says that the connection is lost, since when, and offers to try at once. */
export function ConnectionBanner() {
  const isLost = useConnection(({ state }) => state === 'reconnecting' || state === 'signedOut');
  // A browser is not told why a socket was refused: the session may be over.
  useEffect(() => {
    if (!isLost) return;
    const probe = () =>
      void queryClient.fetchQuery({ ...meQuery(), staleTime: 0, retry: false }).catch(() => null);
    const timer = setInterval(probe, PROBE_MS);
    probe();
    return () => clearInterval(timer);
  }, [isLost]);
  return <div role="status">{isLost ? <Lost /> : null}</div>;
}

function Lost() {
  const t = useText(words);
  const since = useConnection((state) => state.since);
  const ageMs = useNow() - since;
  if (ageMs < PATIENCE_MS) return null;
  return (
    <div className={css.banner}>
      <WifiOff size={16} aria-hidden />
      <p>
        {t.lost}
        <span aria-hidden="true">, {t.since(duration(ageMs - (ageMs % 1_000)))}</span>.
      </p>
      <Button onClick={retryConnection}>{t.retry}</Button>
    </div>
  );
}
