import { type KeyboardEvent, useId } from 'react';
import { count } from '../i18n/format.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import css from './inbox.module.css';
import type { QueueItem } from './queue.ts';
import { QueueRow } from './queue-row.tsx';
import { useSettled } from './settled.ts';
import { inboxText } from './text.ts';
import type { Queue } from './use-queue.ts';

interface QueueListProps {
  ws: string;
  /** Those that the filter lets through. */
  items: readonly QueueItem[];
  selectedId: string | null;
  queue: Queue;
  onWalk(by: 1 | -1): void;
}

/** What waits, and apart from it what went wrong. One stop of the Tab key; arrows walk. */
export function QueueList({ ws, items, selectedId, queue, onWalk }: QueueListProps) {
  const t = useText(inboxText);
  const settled = useSettled((state) => state.byId);
  const waiting = items.filter(({ isFailure }) => !isFailure);
  const failures = items.filter(({ isFailure }) => isFailure);
  const stop = items.some(({ id }) => id === selectedId) ? selectedId : items[0]?.id;
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
      {queue.troubleError ? (
        <div className={css.note} role="alert">
          <p>{t.failuresUnknown}</p>
          <Button onClick={queue.retry}>{t.retry}</Button>
        </div>
      ) : null}
    </div>
  );
}

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
