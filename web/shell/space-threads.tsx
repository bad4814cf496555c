import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { conversationsQuery } from './shell-queries.ts';
import css from './space-threads.module.css';

const words = texts(
  { none: 'No threads', loading: 'Loading…', failed: 'The threads could not be loaded.' },
  { none: 'Aucun fil', loading: 'Chargement…', failed: 'Impossible de charger les fils.' },
);

/** The threads of a space, the newest first. */
export function SpaceThreads({ ws, spaceId }: { ws: string; spaceId: string }) {
  const t = useText(words);
  const [search] = useSearchParams();
  const list = useQuery(conversationsQuery(ws, spaceId));
  const threads = list.data?.items.filter(({ kind }) => kind === 'thread').toReversed();
  if (!threads) return <p className={css.note}>{list.error ? t.failed : t.loading}</p>;
  if (threads.length === 0) return <p className={css.note}>{t.none}</p>;
  return (
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
  );
}
