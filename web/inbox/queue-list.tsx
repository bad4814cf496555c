import { type KeyboardEvent, useId } from 'react';
import { Link } from 'wouter';
import { count } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { useAway } from './away.ts';
import css from './inbox.module.css';
import { addressOf } from './inbox-filters.tsx';
import { listed } from './listed.ts';
import { OutOfDate } from './out-of-date.tsx';
import { filtered, type QueueFilter, type QueueItem } from './queue.ts';
import { QueueRow } from './queue-row.tsx';
import { useSettled } from './settled.ts';
import { inboxText } from './text.ts';
import type { Queue } from './use-queue.ts';

interface QueueListProps {
  ws: string;
  /** Those that the filter lets through. */
  items: readonly QueueItem[];
  selectedId: string | null;
  filter: QueueFilter;
  queue: Queue;
  onWalk(by: 1 | -1): void;
}

/** What waits, and apart from it what went wrong. One stop of the Tab key; arrows walk. */
export function QueueList({ ws, items, selectedId, filter, queue, onWalk }: QueueListProps) {
  const t = useText(inboxText);
  const settled = useSettled((state) => state.byId);
  const waiting = items.filter(({ isFailure }) => !isFailure);
  const failures = items.filter(({ isFailure }) => isFailure);
  const stop = items.some(({ id }) => id === selectedId) ? selectedId : items[0]?.id;
  const stale = queue.error ?? (queue.areTroublesKnown ? queue.troubleError : null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    if (by === null) return;
    event.preventDefault();
    onWalk(by);
  };
  const rows = (list: readonly QueueItem[]) =>
    list.map((item) => (
      <QueueRow
        key={item.id}
        ws={ws}
        item={item}
        isSelected={item.id === selectedId}
        isStop={item.id === stop}
      />
    ));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the links in it have the focus; this hears their arrows
    <div className={css.lists} onKeyDown={onKeyDown}>
      {stale ? <OutOfDate error={stale} onRetry={queue.retry} /> : null}
      {queue.beyond > 0 ? <p className={css.note}>{t.beyond(queue.beyond)}</p> : null}
      {waiting.length > 0 ? (
        <Group title={t.waiting} n={waiting.filter(({ id }) => settled[id] === undefined).length}>
          {rows(waiting)}
        </Group>
      ) : null}
      {failures.length > 0 ? (
        <Group title={t.failures} n={failures.length}>
          {rows(failures)}
        </Group>
      ) : null}
      <PutOffCount queue={queue} filter={filter} />
      {queue.troubleError && !queue.areTroublesKnown ? (
        <div className={css.note} role="alert">
          <p>{t.failuresUnknown}</p>
          <Button onClick={queue.retry}>{t.retry}</Button>
        </div>
      ) : null}
    </div>
  );
}

/** How much of it this person has put off, so that nothing is out of sight without a word. */
function PutOffCount({ queue, filter }: Pick<QueueListProps, 'queue' | 'filter'>) {
  const t = useText(inboxText);
  const byId = useAway((state) => state.byId);
  // What this look would show if nothing was put off.
  const mine = filtered(queue.items, filter, NONE).filter(({ id }) => queue.away.has(id));
  if (filter.show === 'later' || mine.length === 0) return null;
  const asides = mine.filter(({ id }) => byId[id] === null).length;
  const snoozed = mine.length - asides;
  const parts = [...(snoozed > 0 ? [t.nSnoozed(snoozed)] : []), ...(asides > 0 ? [t.nAside(asides)] : [])];
  return (
    <p className={css.note}>
      <Link href={addressOf({ ...filter, show: 'later' })}>{listed(parts)}</Link>
    </p>
  );
}

const NONE: ReadonlySet<string> = new Set();

function Group({ title, n, children }: { title: string; n: number; children: React.ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={css.groupTitle}>
        {title} <span className={css.count}>{count(n)}</span>
      </h2>
      <ul>{children}</ul>
    </section>
  );
}
