import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useText } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import { statusText } from '../ui/status-words.ts';
import css from './canvas.module.css';
import { useCanvas, useCanvasStore } from './canvas-store.ts';
import { canvasText } from './canvas-text.ts';
import { findNodes } from './find-nodes.ts';

interface SearchProps {
  /** Shows a match and selects it. */
  onShow(key: string): void;
  /** The match that was shown last, to go on from. */
  onClose(last: string | null): void;
}

/** Finds steps by title, role or key: all matches stand out, Enter goes from one to the next. */
export function CanvasSearch({ onShow, onClose }: SearchProps) {
  const t = useText(canvasText);
  const statuses = useText(statusText);
  const store = useCanvasStore();
  const nodes = useCanvas(({ model }) => model.nodes);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const found = useMemo(() => findNodes([...nodes.values()], text, statuses), [nodes, text, statuses]);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    store.setState({ found: text.trim() ? new Set(found) : null });
    return () => store.setState({ found: null });
  }, [store, found, text]);
  const go = (to: number) => {
    const index = (to + found.length) % Math.max(1, found.length);
    const key = found[index];
    setAt(index);
    if (key) onShow(key);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose(text.trim() ? (found[at] ?? null) : null);
    else go(event.shiftKey ? Math.max(0, at) - 1 : at + 1);
  };
  return (
    <search className={css.search}>
      <input
        ref={field}
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          // The first match comes with the first Enter: typing does not make the plan jump.
          setAt(-1);
        }}
        onKeyDown={onKeyDown}
      />
      <span className={css.matches} role="status">
        {text.trim() ? t.matches(Math.max(0, at) + 1, found.length) : null}
      </span>
      <IconButton
        label={t.previous}
        icon={<ChevronUp size={15} aria-hidden />}
        onClick={() => go(Math.max(0, at) - 1)}
      />
      <IconButton label={t.next} icon={<ChevronDown size={15} aria-hidden />} onClick={() => go(at + 1)} />
      <IconButton label={t.closeSearch} icon={<X size={15} aria-hidden />} onClick={() => onClose(null)} />
    </search>
  );
}
