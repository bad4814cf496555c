import { Activity, Workflow, X } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { texts, useText } from '../i18n/text.ts';
import { IconButton } from '../ui/button.tsx';
import {
  afterClosing,
  changeTabs,
  nameTab,
  type Tab,
  tabsOf,
  useOpenTabs,
  withoutTab,
  withTab,
} from './open-tabs.ts';
import { placeText } from './place-text.ts';
import css from './tab-strip.module.css';
import { useIsNarrow } from './use-media.ts';
import { usePlaceTitle } from './use-place-title.ts';

const words = texts(
  { name: 'Open plans and runs', close: (title: string) => `Close ${title}` },
  { name: 'Plans et exécutions ouverts', close: (title: string) => `Fermer ${title}` },
);

/** The plans and runs that are open; to look at one opens it. */
export function TabStrip({ ws }: { ws: string }) {
  const t = useText(words);
  const [path, navigate] = useLocation();
  const tabs = useOpenTabs(tabsOf(ws));
  const strip = useRef<HTMLElement>(null);
  useEffect(() => changeTabs(ws, (now) => withTab(now, path)), [ws, path]);
  const close = (tab: Tab) => {
    if (tab.path === path) navigate(afterClosing(tabs, path) ?? '/inbox');
    changeTabs(ws, (now) => withoutTab(now, tab.path));
  };
  if (tabs.length === 0) return null;
  return (
    <nav
      ref={strip}
      className={css.strip}
      aria-label={t.name}
      // A wheel that turns one way only moves what there is to move.
      onWheel={({ deltaX, deltaY }) => {
        if (deltaX === 0 && strip.current) strip.current.scrollLeft += deltaY;
      }}
    >
      <ul className={css.tabs}>
        {tabs.map((tab) => (
          <OpenTab key={tab.path} ws={ws} tab={tab} isHere={tab.path === path} onClose={() => close(tab)} />
        ))}
      </ul>
    </nav>
  );
}

interface OpenTabProps {
  ws: string;
  tab: Tab;
  isHere: boolean;
  onClose(): void;
}

function OpenTab({ ws, tab, isHere, onClose }: OpenTabProps) {
  const t = useText(words);
  const title = useTabTitle(ws, tab, isHere);
  const item = useRef<HTMLLIElement>(null);
  const isNarrow = useIsNarrow();
  // biome-ignore lint/correctness/useExhaustiveDependencies: in a strip of another width it may be out of sight
  useEffect(() => {
    if (isHere) item.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isHere, isNarrow]);
  const Icon = tab.path.startsWith('/runs/') ? Activity : Workflow;
  return (
    <li ref={item} className={css.tab} data-here={isHere || undefined}>
      <Link
        href={tab.path}
        className={css.link}
        aria-current={isHere ? 'page' : undefined}
        title={title}
        onAuxClick={(event: MouseEvent) => {
          if (event.button === 1) onClose();
        }}
      >
        <Icon size={14} aria-hidden />
        <span>{title}</span>
      </Link>
      <IconButton
        className={css.close}
        label={t.close(title)}
        icon={<X size={13} aria-hidden />}
        onClick={onClose}
      />
    </li>
  );
}

/** What the tab is called now, else what it was called last. */
function useTabTitle(ws: string, { path, title }: Tab, isHere: boolean): string {
  const places = useText(placeText);
  // What a tab was called last is good enough until it is looked at: twenty tabs do not ask for twenty runs.
  const known = usePlaceTitle(ws, isHere || title === null ? path : '');
  useEffect(() => {
    if (known !== null) nameTab(ws, path, known);
  }, [ws, path, known]);
  return known ?? title ?? (path.startsWith('/runs/') ? places.run : places.plan);
}
