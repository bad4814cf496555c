import type { KeyboardEvent } from 'react';
import css from './tab-list.module.css';

interface TabListProps<T extends string> {
  /** What the tabs are parts of. */
  label: string;
  tabs: readonly T[];
  words: Readonly<Record<T, string>>;
  selected: T;
  /** Id of the `tabpanel` that they change. */
  panelId: string;
  onSelect(tab: T): void;
}

const STEPS: Partial<Record<string, (at: number, n: number) => number>> = {
  ArrowRight: (at, n) => (at + 1) % n,
  ArrowLeft: (at, n) => (at - 1 + n) % n,
  Home: () => 0,
  End: (_at, n) => n - 1,
};

/** One stop of Tab; the arrows choose. */
export function TabList<T extends string>({
  label,
  tabs,
  words,
  selected,
  panelId,
  onSelect,
}: TabListProps<T>) {
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const to = STEPS[event.key]?.(tabs.indexOf(selected), tabs.length);
    const next = to === undefined ? undefined : tabs[to];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onSelect(next);
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div role="tablist" aria-label={label} className={css.tabs}>
      {tabs.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          data-tab={one}
          aria-selected={one === selected}
          aria-controls={panelId}
          tabIndex={one === selected ? 0 : -1}
          className={css.tab}
          onClick={() => onSelect(one)}
          onKeyDown={walk}
        >
          {words[one]}
        </button>
      ))}
    </div>
  );
}
