import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { plural, texts, useText } from '../i18n/text.ts';
import { Badge } from '../ui/badge.tsx';
import css from './inbox-count.module.css';
import { inboxQuery } from './shell-queries.ts';

const words = texts(
  { waiting: (n: number) => `${plural(n, 'thing waits', 'things wait')} for you` },
  { waiting: (n: number) => `${plural(n, 'élément vous attend', 'éléments vous attendent')}` },
);

/** How much waits, as a way to the inbox; nothing when nothing does. */
export function InboxCount({ ws }: { ws: string }) {
  const t = useText(words);
  const count = useQuery(inboxQuery(ws)).data?.count ?? 0;
  if (count === 0) return null;
  return (
    <Link href="/inbox" className={css.link} aria-label={t.waiting(count)}>
      <Badge tone="warn">{count}</Badge>
    </Link>
  );
}
