import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import css from './menu.module.css';

interface MenuItem<T extends string> {
  value: T;
  label: string;
  hint?: string;
  icon?: ReactNode;
}

interface MenuProps<T extends string> {
  /** Accessible name of the button. */
  label: string;
  /** What the button shows. */
  button: ReactNode;
  items: readonly MenuItem<T>[];
  /** The one that holds now, for a menu that chooses. */
  selected?: T;
  onChoose(value: T): void;
  className?: string;
}

/** Between the button and the menu, and between the menu and the window's edge, in px. */
const GAP = 4;
const EDGE = 4;

const STEPS: Partial<Record<string, (at: number, n: number) => number>> = {
  ArrowDown: (at, n) => (at + 1) % n,
  ArrowUp: (at, n) => (at - 1 + n) % n,
  Home: () => 0,
  End: (_at, n) => n - 1,
};

/** A button with a menu: arrows, Home, End, first letters, Escape; the focus goes back to the button. */
export function Menu<T extends string>({
  label,
  button,
  items,
  selected,
  onChoose,
  className,
}: MenuProps<T>) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const options = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
  const close = () => {
    list.current?.hidePopover();
    opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = options();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = STEPS[event.key]?.(at, all.length) ?? firstWith(all, at, event.key);
    if (event.key === 'Tab') list.current?.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    all[to]?.focus();
  };
  return (
    <div className={[css.menu, className].filter(Boolean).join(' ')}>
      <button
        ref={opener}
        type="button"
        className={css.opener}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={css.list}
        onToggle={(event) => {
          const opened = event.newState === 'open';
          setOpen(opened);
          // Until it is where it belongs, it is not seen.
          list.current?.toggleAttribute('data-placed', opened);
          if (!opened) return;
          place(list.current, opener.current);
          const all = options();
          (all.find((one) => one.ariaChecked === 'true') ?? all[0])?.focus();
        }}
        onKeyDown={onKeyDown}
      >
        {items.map(({ value, label: text, hint, icon }) => (
          <button
            key={value}
            type="button"
            {...(selected === undefined
              ? { role: 'menuitem' }
              : { role: 'menuitemradio', 'aria-checked': value === selected })}
            tabIndex={-1}
            className={css.item}
            onClick={() => {
              close();
              onChoose(value);
            }}
          >
            {icon}
            <span>
              {text}
              {hint ? <span className={css.hint}>{hint}</span> : null}
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}

function firstWith(all: readonly HTMLElement[], at: number, key: string): number | undefined {
  if (key.length !== 1 || key === ' ') return undefined;
  const order = [...all.keys()].map((i) => (at + 1 + i) % all.length);
  return order.find((i) => all[i]?.textContent?.toLowerCase().startsWith(key.toLowerCase()));
}

/** Beside the button, on the side where there is more room, and no higher than that. */
function place(list: HTMLElement | null, opener: HTMLElement | null): void {
  if (!list || !opener) return;
  const at = opener.getBoundingClientRect();
  list.style.maxHeight = '';
  const { offsetWidth: width, offsetHeight: height } = list;
  const [above, below] = [at.top - GAP - EDGE, innerHeight - at.bottom - GAP - EDGE];
  const isBelow = height <= below || below >= above;
  const shown = Math.min(height, isBelow ? below : above);
  list.style.maxHeight = `${shown}px`;
  list.style.top = `${isBelow ? at.bottom + GAP : at.top - GAP - shown}px`;
  list.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE))}px`;
}
