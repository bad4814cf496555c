import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** A plan or a run that is open; `path` is relative to the workspace and its identity. */
export interface Tab {
  path: string;
  /** As it was last known, so that a tab has its name before the server answers. */
  title: string | null;
}

const MOST_TABS = 20;
const EDITOR = /^\/(plans\/[^/]+|runs)\/[^/]+$/;

/** Whether the place is one that stays open in a tab. */
export const isEditor = (path: string): boolean => EDITOR.test(path);

/** With a tab for `path` at the end; of too many the oldest goes. */
export function withTab(tabs: readonly Tab[], path: string): readonly Tab[] {
  if (!isEditor(path) || tabs.some((tab) => tab.path === path)) return tabs;
  return [...tabs, { path, title: null }].slice(-MOST_TABS);
}

export const withoutTab = (tabs: readonly Tab[], path: string): readonly Tab[] =>
  tabs.filter((tab) => tab.path !== path);

/** Where one is after `path` was closed there: the tab that takes its place, else the one before, else nowhere. */
export function afterClosing(tabs: readonly Tab[], path: string): string | null {
  const at = tabs.findIndex((tab) => tab.path === path);
  return (tabs[at + 1] ?? tabs[at - 1])?.path ?? null;
}

/** The tab `by` places from the one at `path`, round the ends; from elsewhere the first or the last. */
export function tabBeside(tabs: readonly Tab[], path: string, by: 1 | -1): string | null {
  const at = tabs.findIndex((tab) => tab.path === path);
  const to = at < 0 ? (by > 0 ? 0 : tabs.length - 1) : (at + by + tabs.length) % tabs.length;
  return tabs[to]?.path ?? null;
}

interface OpenTabs {
  byWorkspace: Readonly<Record<string, readonly Tab[]>>;
}

/** Open editors of each workspace, as this browser left them. */
export const useOpenTabs = create<OpenTabs>()(
  persist((): OpenTabs => ({ byWorkspace: {} }), { name: 'control-center.tabs', version: 1 }),
);

const NONE: readonly Tab[] = [];
export const tabsOf =
  (ws: string) =>
  ({ byWorkspace }: OpenTabs): readonly Tab[] =>
    byWorkspace[ws] ?? NONE;

/** Changes a workspace's tabs; nothing is told when they are the same. */
export function changeTabs(ws: string, change: (tabs: readonly Tab[]) => readonly Tab[]): void {
  useOpenTabs.setState((state) => {
    const before = tabsOf(ws)(state);
    const after = change(before);
    return after === before ? state : { byWorkspace: { ...state.byWorkspace, [ws]: after } };
  });
}

export function nameTab(ws: string, path: string, title: string): void {
  changeTabs(ws, (tabs) =>
    tabs.some((tab) => tab.path === path && tab.title !== title)
      ? tabs.map((tab) => (tab.path === path ? { path, title } : tab))
      : tabs,
  );
}
