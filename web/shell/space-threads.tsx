import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { FaultText } from '../ui/fault-text.tsx';
import { conversationsQuery } from './shell-queries.ts';
import css from './space-threads.module.css';

const words = texts(
  { none: 'No threads', loading: 'Loading…', failed: 'The threads could not be loaded.', retry: 'Try again' },
  {
    none: 'Aucun fil',
    loading: 'Chargement…',
    failed: 'Impossible de charger les fils.',
    retry: 'Réessayer',
  },
);

/** The threads of a space, the newest first. */
export function SpaceThreads({ ws, spaceId }: { ws: string; spaceId: string }) {
  const t = useText(words);
  const [search] = useSearchParams();
  const list = useQuery(conversationsQuery(ws, spaceId));
  const failure = list.error ? (
    <div className={css.note} role="alert">
      <p>
        {t.failed} <FaultText error={list.error} />
      </p>
      <Button onClick={() => void list.refetch()}>{t.retry}</Button>
    </div>
  ) : null;
  const threads = list.data?.items.filter(({ kind }) => kind === 'thread').toReversed();
  if (!threads) return failure ?? <p className={css.note}>{t.loading}</p>;
  if (threads.length === 0 && !failure) return <p className={css.note}>{t.none}</p>;
  return (
    <>
      {failure}
      <ul>
        {threads.map(({ id, title }) => (
          <li key={id}>
            <Link
              href={`/spaces/${spaceId}?thread=${id}`}
              className={css.thread}
              aria-current={search.get('thread') === id ? 'true' : undefined}
              title={title}
            >
              <MessagesSquare size={13} aria-hidden />
              <span>{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
