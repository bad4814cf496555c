import { ArrowDown } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { conversationText } from '../text.ts';
import css from './timeline.module.css';
import type { TimelineItem } from './timeline.ts';
import { useStick } from './use-stick.ts';

/** Older messages are asked for when so little is left above. */
const AHEAD_PX = 800;

interface MessageListProps {
  items: readonly TimelineItem[];
  /** The message that a link points at, once it is here. */
  targetId: string | null;
  row(item: TimelineItem, isCurrent: boolean): ReactElement;
  onNearBeginning(): void;
}

/** The rows of a conversation, of which only those in view exist. Arrows go from message to message. */
export function MessageList({ items, targetId, row, onNearBeginning }: MessageListProps) {
  const t = useText(conversationText);
  const list = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const stick = useStick(list, scroller, items.length);
  const [currentKey, setCurrentKey] = useState<string | null>(null);
  const current = currentIndex(items, currentKey);
  const unseen = useUnseen(items, stick.isAtEnd);
  const isPrepend = usePrepend(items);
  const goTo = (index: number, align: 'nearest' | 'center') => {
    const key = items[index]?.key;
    if (key === undefined) return;
    stick.letGo();
    setCurrentKey(key);
    list.current?.scrollToIndex(index, { align });
    focusRow(scroller.current, key);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each target, not for whatever comes afterwards
  useEffect(() => {
    if (targetId !== null)
      goTo(
        items.findIndex(({ key }) => key === targetId),
        'center',
      );
  }, [targetId]);
  // The button goes, and the focus with the person.
  const toEnd = () => {
    const last = items.findLast(isMessage);
    stick.toEnd();
    if (last === undefined) return;
    setCurrentKey(last.key);
    focusRow(scroller.current, last.key);
  };
  // What opens stays where it is, instead of the end of the list.
  const onClick = ({ target }: MouseEvent<HTMLElement>) => {
    if (target instanceof Element && target.closest('[aria-expanded], summary')) stick.letGo();
  };
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const key = target.closest<HTMLElement>('[data-row]')?.dataset.row;
    if (key !== undefined) setCurrentKey(key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.row === undefined) return;
    const to = nextMessage(items, current, event.key);
    if (to === null) return;
    event.preventDefault();
    goTo(to, 'nearest');
  };
  return (
    <div className={css.frame}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the rows in it */}
      <div
        className={css.scroller}
        ref={scroller}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        onClickCapture={onClick}
      >
        <div className={css.column} role="log" aria-live="off" aria-label={t.messages}>
          <Virtualizer
            ref={list}
            scrollRef={scroller}
            data={items}
            shift={isPrepend}
            bufferSize={250}
            keepMounted={current >= 0 && currentKey !== null ? [current] : []}
            onScroll={(offset) => {
              stick.onScroll(offset);
              if (offset < AHEAD_PX) onNearBeginning();
            }}
          >
            {(item, index) => (
              <div
                key={item.key}
                className={css.item}
                data-kind={item.kind}
                data-continued={(item.kind === 'message' && item.isContinued) || undefined}
              >
                {row(item, index === current)}
              </div>
            )}
          </Virtualizer>
        </div>
      </div>
      {stick.isAtEnd ? null : (
        <Button className={css.jump} onClick={toEnd}>
          <ArrowDown size={15} aria-hidden />
          {unseen > 0 ? t.newMessages(unseen) : t.jump}
        </Button>
      )}
    </div>
  );
}

/** The row in the tab order: the last that had the focus, else the last message. */
function currentIndex(items: readonly TimelineItem[], key: string | null): number {
  const at = key === null ? -1 : items.findIndex((item) => item.key === key);
  return at >= 0 ? at : items.findLastIndex(({ kind }) => kind === 'message');
}

const isMessage = ({ kind }: TimelineItem) => kind === 'message';

const STEPS: Partial<Record<string, (items: readonly TimelineItem[], from: number) => number>> = {
  ArrowUp: (items, from) => items.slice(0, from).findLastIndex(isMessage),
  ArrowDown: (items, from) => items.findIndex((item, i) => i > from && isMessage(item)),
  Home: (items) => items.findIndex(isMessage),
  End: (items) => items.findLastIndex(isMessage),
};

function nextMessage(items: readonly TimelineItem[], from: number, key: string): number | null {
  const found = STEPS[key]?.(items, from) ?? -1;
  return found < 0 ? null : found;
}

/** Tries until the row is there: one that was out of view is made first. */
function focusRow(scroller: HTMLElement | null, key: string, tries = 10): void {
  const row = scroller?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`);
  if (row) row.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusRow(scroller, key, tries - 1));
}

/** How many messages came since the end was left. */
function useUnseen(items: readonly TimelineItem[], isAtEnd: boolean): number {
  const seen = useRef<string | null>(null);
  const lastKey = items.findLast(({ kind }) => kind === 'message')?.key ?? null;
  useEffect(() => {
    if (isAtEnd) seen.current = lastKey;
  }, [isAtEnd, lastKey]);
  if (isAtEnd || seen.current === lastKey) return 0;
  const from = items.findLastIndex(({ key }) => key === seen.current);
  return items.slice(from + 1).filter(({ kind }) => kind === 'message').length;
}

/** Whether rows were added at the beginning since the last time: the list then keeps its place from its end. */
function usePrepend(items: readonly TimelineItem[]): boolean {
  const first = items.find(({ kind }) => kind === 'message')?.key;
  const before = useRef(first);
  const isPrepend = before.current !== undefined && before.current !== first;
  useLayoutEffect(() => {
    before.current = first;
  }, [first]);
  return isPrepend;
}
