import type { KeyboardEvent } from 'react';
import { useUrlChoice } from '../agents/url-state.ts';
import { useText } from '../i18n/text.ts';
import css from './run.module.css';
import { runWords } from './run-words.ts';

const TABS = ['steps', 'timeline', 'prompt', 'checkpoints'] as const;
type Tab = (typeof TABS)[number];

/** Which part of the run is shown; it stands in the address. */
export function useRunTab(): [Tab, (tab: Tab) => void] {
  return useUrlChoice('tab', TABS);
}

const STEPS: Partial<Record<string, (at: number) => number>> = {
  ArrowRight: (at) => (at + 1) % TABS.length,
  ArrowLeft: (at) => (at - 1 + TABS.length) % TABS.length,
  Home: () => 0,
  End: () => TABS.length - 1,
};

/** One stop of Tab; the arrows choose. */
export function RunTabs() {
  const t = useText(runWords);
  const [tab, choose] = useRunTab();
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const to = STEPS[event.key]?.(TABS.indexOf(tab));
    const next = to === undefined ? undefined : TABS[to];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(next);
    event.currentTarget.parentElement?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div role="tablist" aria-label={t.tabsLabel} className={css.tabs}>
      {TABS.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          data-tab={one}
          aria-selected={one === tab}
          aria-controls="run-panel"
          tabIndex={one === tab ? 0 : -1}
          className={css.tab}
          onClick={() => choose(one)}
          onKeyDown={walk}
        >
          {t.tabs[one]}
        </button>
      ))}
    </div>
  );
}
