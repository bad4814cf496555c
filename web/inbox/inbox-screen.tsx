import { useEffect, useRef } from 'react';
import { useLocation, useSearch, useSearchParams } from 'wouter';
import { useText } from '../i18n/text.ts';
import { useKeys } from '../keys/registry.ts';
import { useMedia } from '../shell/use-media.ts';
import { Failed, Loading } from '../ui/states.tsx';
import { Announcer } from './announcer.tsx';
import { takeBackLast } from './away.ts';
import css from './inbox.module.css';
import { InboxFilters } from './inbox-filters.tsx';
import { Nothing, type NothingWhy, Unchosen } from './nothing.tsx';
import { Preview } from './preview.tsx';
import { filtered, filterFrom, itemBeside, nextAfter, type QueueFilter, type QueueItem } from './queue.ts';
import { QueueList } from './queue-list.tsx';
import { useSettled } from './settled.ts';
import { inboxText } from './text.ts';
import { type Queue, useQueue } from './use-queue.ts';

/** Everything that wants a person, decided in place. */
export default function InboxScreen({ ws, selectedId }: { ws: string; selectedId: string | null }) {
  const t = useText(inboxText);
  const queue = useQueue(ws);
  const [params] = useSearchParams();
  const filter = filterFrom(params);
  const shown = filtered(queue.items, filter, queue.away);
  const isSmall = useMedia('(width < 64rem)');
  const go = useGo();
  const list = useRef<HTMLDivElement>(null);
  const walk = (by: 1 | -1) => {
    const to = itemBeside(shown, selectedId, by);
    if (to === null) return;
    go(to.id);
    // The row is there already, or comes with the list when the preview covers it.
    list.current?.querySelector<HTMLElement>(`[data-item="${to.id}"]`)?.focus();
  };
  useKeys([
    { keys: 'j', label: t.next, group: t.group, repeats: true, run: () => walk(1) },
    { keys: 'k', label: t.previous, group: t.group, repeats: true, run: () => walk(-1) },
    { keys: 'u', label: t.undoKey, group: t.group, run: takeBackLast },
  ]);
  useFirst(shown, selectedId, !isSmall && queue.isLoaded, go);
  const hasGoneOn = useRef(false);
  const isStillAt = useStillAt(selectedId);
  const goOn = (id: string) => {
    // Whoever has gone elsewhere meanwhile is left there.
    if (!isStillAt(id)) return;
    hasGoneOn.current = true;
    const isSettled = (one: string) => useSettled.getState().byId[one] !== undefined;
    go(nextAfter(shown, id, isSettled)?.id ?? null);
  };
  const hasList = !isSmall || selectedId === null;
  const hasPreview = !isSmall || selectedId !== null;
  const selected = queue.items.find(({ id }) => id === selectedId) ?? null;
  useMended(selected, selectedId, queue.isComplete, go);
  if (!queue.isLoaded && queue.error) return <Failed error={queue.error} onRetry={queue.retry} />;
  return (
    <div className={css.screen} data-split={(hasList && hasPreview) || undefined}>
      <Announcer ws={ws} />
      {hasList ? (
        <div className={css.side} ref={list}>
          <header className={css.head}>
            <h1>{t.title}</h1>
            <InboxFilters ws={ws} items={queue.items} away={queue.away} filter={filter} />
          </header>
          {queue.isLoaded ? (
            <QueueList
              ws={ws}
              items={shown}
              selectedId={selectedId}
              filter={filter}
              queue={queue}
              onWalk={walk}
            />
          ) : (
            <Loading />
          )}
          {queue.isComplete && shown.length === 0 ? <Nothing why={whyNothing(queue, filter)} /> : null}
        </div>
      ) : (
        <h1 className="visually-hidden">{t.title}</h1>
      )}
      {hasPreview ? (
        <section className={css.preview} aria-label={t.preview}>
          {selectedId === null ? (
            <Unchosen isEmpty={shown.every(({ id }) => useSettled.getState().byId[id] !== undefined)} />
          ) : (
            <Preview
              key={selectedId}
              ws={ws}
              id={selectedId}
              item={selected}
              isLoaded={queue.isComplete}
              takesFocus={hasGoneOn.current}
              onBack={isSmall ? () => go(null) : null}
              onDone={() => goOn(selectedId)}
            />
          )}
        </section>
      ) : null}
    </div>
  );
}

function whyNothing({ items, away, areTroublesKnown }: Queue, filter: QueueFilter): NothingWhy {
  if (filter.show === 'later') return 'noneLater';
  if (items.some(({ id }) => !away.has(id))) return 'filtered';
  if (items.length > 0) return 'rest';
  return areTroublesKnown ? 'clear' : 'unknown';
}

/** Whether an item is the one on the screen still, at whatever time that is asked. */
function useStillAt(selectedId: string | null): (id: string) => boolean {
  const now = useRef(selectedId);
  useEffect(() => {
    now.current = selectedId;
    return () => {
      now.current = null;
    };
  }, [selectedId]);
  return (id) => now.current === id;
}

/** To an item, or to the list, with the filter kept. */
function useGo(): (id: string | null) => void {
  const [, navigate] = useLocation();
  const search = useSearch();
  return (id) =>
    navigate(`/inbox${id === null ? '' : `/${id}`}${search === '' ? '' : `?${search}`}`, { replace: true });
}

/** A failure that was looked at and is none any more gives its place to what still wants somebody. */
function useMended(
  selected: QueueItem | null,
  selectedId: string | null,
  isComplete: boolean,
  go: (id: null) => void,
): void {
  const seen = useRef<string | null>(null);
  if (selected?.isFailure) seen.current = selected.id;
  const isMended = isComplete && selected === null && selectedId !== null && seen.current === selectedId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `go` is made anew at every look
  useEffect(() => {
    if (isMended) go(null);
  }, [isMended]);
}

/** Where there is room for both, the first of the list is shown beside it. */
function useFirst(
  shown: readonly QueueItem[],
  selectedId: string | null,
  isWanted: boolean,
  go: (id: string) => void,
): void {
  const settled = useSettled((state) => state.byId);
  const first = shown.find(({ id }) => settled[id] === undefined)?.id;
  const [path] = useLocation();
  const search = useSearch();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `go` is made anew at every look
  useEffect(() => {
    if (isWanted && selectedId === null && first !== undefined) go(first);
  }, [isWanted, selectedId, first, path, search]);
}
