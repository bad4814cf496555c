import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link, useLocation } from 'wouter';
import { count } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { spacesQuery } from '../shell/shell-queries.ts';
import css from './inbox.module.css';
import { inSpace, isIn, type QueueFilter, type QueueItem, SHOWS, spaceOf } from './queue.ts';
import { useSettled } from './settled.ts';
import { inboxText } from './text.ts';

interface FiltersProps {
  ws: string;
  items: readonly QueueItem[];
  away: ReadonlySet<string>;
  filter: QueueFilter;
}

/** What kind of things, and of which space; both stand in the address. */
export function InboxFilters({ ws, items, away, filter }: FiltersProps) {
  const t = useText(inboxText);
  const settled = useSettled((state) => state.byId);
  const open = items.filter((item) => settled[item.id] === undefined && inSpace(filter.space, item));
  return (
    <div className={css.filters}>
      <nav aria-label={t.filter} className={css.shows}>
        {SHOWS.map((show) => {
          const n = open.filter((item) => isIn(show, item, away)).length;
          if (show === 'later' && n === 0 && filter.show !== show) return null;
          return (
            <Link
              key={show}
              href={addressOf({ ...filter, show })}
              className={css.show}
              aria-current={show === filter.show ? 'page' : undefined}
            >
              {t.shows[show]} <span className={css.count}>{count(n)}</span>
            </Link>
          );
        })}
      </nav>
      <SpaceFilter ws={ws} items={items} filter={filter} />
    </div>
  );
}

function SpaceFilter({ ws, items, filter }: Omit<FiltersProps, 'away'>) {
  const t = useText(inboxText);
  const id = useId();
  const [, navigate] = useLocation();
  const named = useQuery(spacesQuery(ws)).data?.items ?? [];
  const used = new Set(items.map(spaceOf));
  const choices = named.filter((space) => used.has(space.id) || space.id === filter.space);
  if (choices.length < 2 && filter.space === null) return null;
  return (
    <div className={css.spaceFilter}>
      <label htmlFor={id}>{t.space}</label>
      <select
        id={id}
        value={filter.space ?? ''}
        onChange={({ target }) =>
          navigate(addressOf({ ...filter, space: target.value === '' ? null : target.value }), {
            replace: true,
          })
        }
      >
        <option value="">{t.anySpace}</option>
        {choices.map((space) => (
          <option key={space.id} value={space.id}>
            {space.name}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Where the inbox is shown so. */
export function addressOf({ show, space }: QueueFilter): string {
  const params = new URLSearchParams({
    ...(show !== 'all' && { show }),
    ...(space !== null && { space }),
  });
  return params.size === 0 ? '/inbox' : `/inbox?${params}`;
}
